// Duplicate coverage of one launch: links that hide a release behind its canonical one.
import { type Context, now, queries, transact, type WriteContext } from '../../context.ts';
import type { Coverage, CoverageLinks, CoverageRow } from '../../contract/coverage.ts';
import { ApiError, notFound, validationFailed } from '../../contract/errors.ts';
import { pick } from '../../domain/records.ts';
import { recordAudit } from '../../entities/audit.ts';
import type { ReleaseCoverageRow, ReleaseRow } from '../../store/schema/releases.ts';
import { coverageRole, findRelease, resolveRelease } from '../detail.ts';
import { releaseFields, thumbnailOf } from '../release-fields.ts';
import { loadSurroundings } from '../release-items.ts';
import { changeListing } from './change-listing.ts';
import { refreshCoverageCounts } from './coverage-count.ts';

export async function readCoverage(ctx: Context, id: string): Promise<Coverage> {
  const release = await resolveRelease(ctx, id);
  const links = await queries(ctx)
    .selectFrom('release_coverage')
    .selectAll()
    .where((eb) => eb.or([eb('coverage_id', '=', id), eb('canonical_id', '=', id)]))
    .orderBy('decided_at')
    .orderBy('coverage_id')
    .execute();
  const canonical = links.find((link) => link.coverage_id === id);
  const covers = links.filter((link) => link.canonical_id === id);
  return {
    role: coverageRole(release),
    canonical: canonical ? await coverageRow(ctx, canonical, canonical.canonical_id) : null,
    covers: await Promise.all(covers.map((link) => coverageRow(ctx, link, link.coverage_id))),
  };
}

async function coverageRow(ctx: Context, link: ReleaseCoverageRow, siblingId: string): Promise<CoverageRow> {
  return {
    coverageId: link.coverage_id,
    canonicalId: link.canonical_id,
    reason: link.reason,
    decidedBy: link.decided_by,
    decidedAt: link.decided_at,
    sibling: await siblingOf(ctx, siblingId),
  };
}

// A sibling that the caller may not see is null and not left out, because the link itself is a fact.
async function siblingOf(ctx: Context, id: string): Promise<CoverageRow['sibling']> {
  const row = await findRelease(ctx, id);
  if (!row || row.listing <= 0) return null;
  const near = (await loadSurroundings(ctx, [row.source_id])).get(row.source_id);
  const fields = releaseFields(row, ctx.config.webUrl);
  return {
    ...pick(fields, 'id', 'version', 'title'),
    sourceName: near?.sourceName ?? '',
    publishedAt: fields.publishedAt,
    org: near?.orgSlug ? { slug: near.orgSlug, name: near.orgName ?? '' } : null,
    thumbnail: thumbnailOf(fields),
  };
}

interface LinkResult {
  canonicalId: string;
  coverageIds: string[];
  linked: number;
}

export async function linkCoverage(ctx: Context, canonicalId: string, links: CoverageLinks): Promise<LinkResult> {
  if (links.coverageIds.includes(canonicalId)) {
    throw validationFailed([{ path: 'coverageIds', reason: 'a release cannot cover itself' }]);
  }
  return transact(ctx, async (ctx) => {
    await ctx.store.dialect.lock(ctx.tx, 'coverage');
    const canonical = await writable(ctx, canonicalId);
    if (canonical.coverage_of) {
      throw new ApiError('conflict', 'a coverage-side release cannot be canonical', {
        reason: 'canonical_is_coverage',
      });
    }
    const ids = [...new Set(links.coverageIds)];
    const releases = await Promise.all(ids.map((id) => writable(ctx, id, { field: 'coverageIds' })));
    let linked = 0;
    for (const release of releases) linked += await link(ctx, { release, canonicalId, links });
    await refreshCoverageCounts(ctx, {
      ids: [canonicalId, ...releases.flatMap((row) => [row.id, row.coverage_of ?? []].flat())],
    });
    await recordAudit(ctx, {
      action: 'release.cover',
      targetType: 'release',
      targetId: canonicalId,
      after: { coverageIds: ids },
    });
    return { canonicalId, coverageIds: ids, linked };
  });
}

async function link(
  ctx: WriteContext,
  { release, canonicalId, links }: { release: ReleaseRow; canonicalId: string; links: CoverageLinks },
): Promise<number> {
  const decision = {
    canonical_id: canonicalId,
    reason: links.reason ?? null,
    decided_by: links.decidedBy,
    decided_at: now(ctx),
  };
  // Coverage has one level: releases that are coverage of this one move to the new canonical release.
  const moved = await ctx.tx
    .updateTable('release_coverage')
    .set({ canonical_id: canonicalId })
    .where('canonical_id', '=', release.id)
    .returning('coverage_id')
    .execute();
  for (const { coverage_id } of moved) await changeListing(ctx, coverage_id, { coverage_of: canonicalId });
  await ctx.tx
    .insertInto('release_coverage')
    .values({ coverage_id: release.id, ...decision })
    .onConflict((conflict) => conflict.column('coverage_id').doUpdateSet(decision))
    .execute();
  await changeListing(ctx, release.id, { coverage_of: canonicalId });
  return release.coverage_of === canonicalId ? 0 : 1;
}

export async function unlinkCoverage(ctx: Context, id: string): Promise<{ unlinked: boolean }> {
  return transact(ctx, async (ctx) => {
    await ctx.store.dialect.lock(ctx.tx, 'coverage');
    const release = await writable(ctx, id);
    if (!release.coverage_of) return { unlinked: false };
    await ctx.tx.deleteFrom('release_coverage').where('coverage_id', '=', id).execute();
    await changeListing(ctx, id, { coverage_of: null });
    await deny(ctx, id, release.coverage_of);
    await refreshCoverageCounts(ctx, { ids: [release.coverage_of] });
    await recordAudit(ctx, {
      action: 'release.uncover',
      targetType: 'release',
      targetId: id,
      before: { canonicalId: release.coverage_of },
    });
    return { unlinked: true };
  });
}

// The denial stops rules from linking two releases that an operator has separated.
async function deny(ctx: WriteContext, a: string, b: string): Promise<void> {
  const [first, second] = a < b ? [a, b] : [b, a];
  await ctx.tx
    .insertInto('coverage_denials')
    .values({ release_a: first, release_b: second, denied_at: now(ctx) })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

async function writable(ctx: Context, id: string, where?: { field: string }): Promise<ReleaseRow> {
  const row = await findRelease(ctx, id);
  if (!row) throw notFound('release', id, where);
  return row;
}
