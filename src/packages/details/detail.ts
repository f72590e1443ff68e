// A package as the API and its page tell it.
import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import type { PackageDetail, PackageVersion } from '../../contract/package.ts';
import type { Page } from '../../contract/pagination.ts';
import { latestPublished } from '../../domain/upgrade/published.ts';
import { parseJson } from '../../store/json-text.ts';
import { findPackage, type KnownPackage, knownPackage } from './known-package.ts';
import { orderPackageReading } from './order-reading.ts';
import { pageOfVersions, type VersionOfPackage, versionsOfPackage } from './versions.ts';

interface AskedPackage {
  ecosystem: string;
  name: string;
}

// What is not known is read, and `not_found` tells so of a package that nobody knew.
export async function packageDetail(ctx: Context, asked: AskedPackage): Promise<PackageDetail> {
  const known = await findPackage(ctx, asked);
  const reading = await orderPackageReading(ctx, asked, { known, asker: 'api' });
  const more = reading === null ? {} : { reading };
  if (!known) {
    const details = { entity: 'package', value: asked.name, ...more };
    throw new ApiError('not_found', `package not found: ${asked.name}`, details);
  }
  return { ...detailOf(known, await versionsOfPackage(ctx, known)), ...more };
}

// `versions` are all of them, highest first.
export function detailOf(known: KnownPackage, versions: readonly VersionOfPackage[]): PackageDetail {
  const { ecosystem, name, state, notes } = known;
  const latest = latestOf(known, versions);
  return {
    ecosystem,
    name,
    latest: latest?.version ?? state?.latest ?? null,
    versions: {
      published: state?.listed_at == null ? null : versions.length,
      noted: versions.filter((version) => version.noted).length,
      withdrawn: versions.filter((version) => version.withdrawn).length,
    },
    deprecated: latest?.deprecated ?? null,
    source: notes && sourceOf(notes.source),
    checkedAt: state?.checked_at ?? null,
    outcome: state?.outcome ?? 'never_read',
    ...(state?.facts ? { manifest: parseJson(state.facts) } : {}),
  };
}

// The version that an installation gets, with what is known of it.
export function latestOf(
  { ecosystem, state }: KnownPackage,
  falling: readonly VersionOfPackage[],
): VersionOfPackage | undefined {
  const listed = falling.map((version) => ({ ...version, key: version.key ?? '' }));
  const latest = latestPublished(ecosystem, { tag: state?.latest ?? null, falling: listed });
  return falling.find(({ version }) => version === latest);
}

function sourceOf({ id, slug, orgSlug, name, type, url }: NonNullable<KnownPackage['notes']>['source']) {
  return { sourceId: id, sourceSlug: slug, orgSlug, name, type, url };
}

export async function packageVersions(
  ctx: Context,
  { page, limit, ...asked }: AskedPackage & { page: number; limit: number },
): Promise<Page<PackageVersion>> {
  const versions = await versionsOfPackage(ctx, await knownPackage(ctx, asked));
  const { items, pagination } = pageOfVersions(versions, { page, limit });
  return { items: items.map(toVersion), pagination };
}

function toVersion({ version, publishedAt, withdrawn, deprecated, releaseId, breaking }: VersionOfPackage) {
  return { version, publishedAt, withdrawn, deprecated, releaseId, breaking };
}
