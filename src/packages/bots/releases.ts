// All versions of a package as the custom datasource of Renovate reads them.
import type { Context } from '../../context.ts';
import type { BotReleases } from '../../contract/bots.ts';
import { ANONYMOUS } from '../../contract/caller.ts';
import { latestOf } from '../details/detail.ts';
import { knownPackage } from '../details/known-package.ts';
import { versionsOfPackage } from '../details/versions.ts';

// Withdrawn versions cannot be installed, so they are not offered.
export async function botReleases(called: Context, asked: { ecosystem: string; name: string }): Promise<BotReleases> {
  const ctx = { ...called, caller: { ...ANONYMOUS, passive: true as const } };
  const known = await knownPackage(ctx, asked);
  const versions = await versionsOfPackage(ctx, known);
  const latest = latestOf(known, versions)?.version ?? known.state?.latest;
  const sourceUrl = known.state?.repository ?? known.notes?.source.url;
  return {
    releases: versions
      .filter(({ withdrawn }) => !withdrawn)
      .map(({ version, publishedAt, deprecated, prerelease }) => ({
        version,
        ...(publishedAt === null ? {} : { releaseTimestamp: publishedAt }),
        isDeprecated: deprecated !== null,
        isStable: !prerelease,
      })),
    ...(latest ? { tags: { latest } } : {}),
    ...(sourceUrl ? { sourceUrl } : {}),
    changelogUrl: `${ctx.config.webUrl}/packages/${known.ecosystem}/${known.name}`,
    ...(known.state?.homepage ? { homepage: known.state.homepage } : {}),
  };
}
