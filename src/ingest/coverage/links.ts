// Stored coverage links and denials. Rules write links only here, under the lock that every writer of links takes.

import { now, type WriteContext } from '../../context.ts';
import { decideClusters, type Pair } from '../../domain/coverage/clusters.ts';
import { utcDay } from '../../domain/timestamps.ts';
import { sourceById } from '../../entities/resolve.ts';
import { refreshFigures, refreshOrgCount } from '../../releases/figures.ts';
import { writeReleaseText } from '../../releases/indexing/release-text.ts';
import { listingOf } from '../../releases/release-columns.ts';
import { refreshCoverageCounts } from '../../releases/write/coverage-count.ts';
import { indexable } from '../../releases/write/full-text.ts';
import type { ReleaseCoverageRow, ReleaseRow } from '../../store/schema/releases.ts';
import { asCoverable, pages, rowsById } from './rows.ts';

export const BY_CASCADE = 'system:cascade';
const BY_RULES = 'system:coverage';

// Decides clusters from pairs and writes their links. Returns whether any was written.
export async function joinPairs(ctx: WriteContext, pairs: readonly Pair[]): Promise<boolean> {
  if (pairs.length === 0) return false;
  await lockCoverage(ctx);
  const paired = [...new Set(pairs.flatMap(({ a, b }) => [a.id, b.id]))];
  const links = await linksAround(ctx, paired);
  const cascades = new Set(links.filter((link) => link.decided_by === BY_CASCADE).map((link) => link.coverage_id));
  const clustered = links.filter(({ coverage_id }) => !cascades.has(coverage_id));
  const ids = [...new Set([...paired, ...clustered.flatMap((link) => [link.coverage_id, link.canonical_id])])];
  const members = await asCoverable(ctx, await rowsById(ctx, ids));
  const decisions = decideClusters(
    // Releases that a cascade covers are represented by their canonical release.
    pairs.filter(({ a, b }) => !cascades.has(a.id) && !cascades.has(b.id)),
    {
      releases: new Map(members.map((release) => [release.id, release])),
      links: clustered.map((link) => ({
        coverageId: link.coverage_id,
        canonicalId: link.canonical_id,
        manual: isManual(link),
      })),
      denied: await denialsAmong(ctx, ids),
    },
  );
  await writeLinks(ctx, decisions, BY_RULES);
  return decisions.length > 0;
}

interface Decided {
  coverageId: string;
  canonicalId: string;
  // Null leaves the reason of a link that only moves.
  reason: string | null;
}

// The links in which these releases stand on either side, with all others of the same canonicals.
export async function linksAround(ctx: WriteContext, ids: readonly string[]): Promise<ReleaseCoverageRow[]> {
  const heads = new Set(ids);
  for (const part of pages(ids)) {
    const rows = await ctx.tx
      .selectFrom('release_coverage')
      .select('canonical_id')
      .where('coverage_id', 'in', part)
      .execute();
    for (const { canonical_id } of rows) heads.add(canonical_id);
  }
  const links: ReleaseCoverageRow[] = [];
  for (const part of pages([...heads])) {
    links.push(
      ...(await ctx.tx.selectFrom('release_coverage').selectAll().where('canonical_id', 'in', part).execute()),
    );
  }
  return links;
}

export function isManual({ decided_by }: Pick<ReleaseCoverageRow, 'decided_by'>): boolean {
  return !decided_by.startsWith('system:');
}

// Whether a person has separated two of these releases.
export async function denialsAmong(
  ctx: WriteContext,
  ids: readonly string[],
): Promise<(a: string, b: string) => boolean> {
  const denied = new Set<string>();
  for (const part of pages(ids)) {
    const rows = await ctx.tx
      .selectFrom('coverage_denials')
      .select(['release_a', 'release_b'])
      .where((eb) => eb.or([eb('release_a', 'in', part), eb('release_b', 'in', part)]))
      .execute();
    for (const { release_a, release_b } of rows) denied.add(`${release_a} ${release_b}`);
  }
  return (a, b) => denied.has(a < b ? `${a} ${b}` : `${b} ${a}`);
}

// Every writer of links holds this lock. It is taken only when there is something to decide, because all orgs share it.
export async function lockCoverage(ctx: WriteContext): Promise<void> {
  await ctx.store.dialect.lock(ctx.tx, 'coverage');
}

export async function writeLinks(ctx: WriteContext, decisions: readonly Decided[], decidedBy: string): Promise<void> {
  if (decisions.length === 0) return;
  const canonicals = new Map<string, string | null>();
  const counted = new Set<string>();
  for (const head of new Set(decisions.map(({ canonicalId }) => canonicalId))) {
    // A canonical release is covered by none itself, so its own link is removed first.
    const link = await takeLink(ctx, head);
    if (link === null) continue;
    canonicals.set(head, null);
    counted.add(link);
  }
  for (const decision of decisions) {
    const { coverageId, canonicalId } = decision;
    for (const id of await moveLinks(ctx, coverageId, canonicalId)) canonicals.set(id, canonicalId);
    for (const id of [coverageId, canonicalId, await putLink(ctx, decision, decidedBy)])
      if (id !== null) counted.add(id);
    canonicals.set(coverageId, canonicalId);
  }
  await relistCovered(ctx, canonicals);
  await refreshCoverageCounts(ctx, { ids: [...counted] });
}

async function takeLink(ctx: WriteContext, coverageId: string): Promise<string | null> {
  const link = await ctx.tx
    .deleteFrom('release_coverage')
    .where('coverage_id', '=', coverageId)
    .returning('canonical_id')
    .executeTakeFirst();
  return link?.canonical_id ?? null;
}

// Returns the previous canonical release.
async function putLink(ctx: WriteContext, { coverageId, canonicalId, reason }: Decided, decidedBy: string) {
  const before = await ctx.tx
    .selectFrom('release_coverage')
    .select('canonical_id')
    .where('coverage_id', '=', coverageId)
    .executeTakeFirst();
  const decision = { canonical_id: canonicalId, reason, decided_by: decidedBy, decided_at: now(ctx) };
  await ctx.tx
    .insertInto('release_coverage')
    .values({ coverage_id: coverageId, ...decision })
    .onConflict((conflict) =>
      conflict.column('coverage_id').doUpdateSet(reason === null ? { canonical_id: canonicalId } : decision),
    )
    .execute();
  return before?.canonical_id ?? null;
}

async function moveLinks(ctx: WriteContext, from: string, to: string): Promise<string[]> {
  const moved = await ctx.tx
    .updateTable('release_coverage')
    .set({ canonical_id: to })
    .where('canonical_id', '=', from)
    .returning('coverage_id')
    .execute();
  return moved.map(({ coverage_id }) => coverage_id);
}

// Changes the listing of releases that become covered or canonical, many at once: a first fetch of a monorepo covers
// hundreds.

// The canonical release by release id; null when the release is no longer covered.
async function relistCovered(ctx: WriteContext, canonicals: ReadonlyMap<string, string | null>): Promise<void> {
  const bySource = new Map<string, ReleaseRow[]>();
  for (const part of pages([...canonicals.keys()])) {
    for (const row of await ctx.tx.selectFrom('releases').selectAll().where('id', 'in', part).execute()) {
      bySource.set(row.source_id, [...(bySource.get(row.source_id) ?? []), row]);
    }
  }
  const orgs = new Set<string>();
  for (const [sourceId, rows] of [...bySource].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const sourceInOrg = await sourceById(ctx, sourceId);
    if (!sourceInOrg) continue;
    const next = rows.map((row) => moved(row, canonicals.get(row.id) ?? null, sourceInOrg.visible));
    for (const { id, coverage_of, listing, indexed } of next) {
      await ctx.tx.updateTable('releases').set({ coverage_of, listing, indexed }).where('id', '=', id).execute();
    }
    const shown = next.filter(({ indexed }) => indexed === 1).sort((a, b) => a.doc_key - b.doc_key);
    if (shown.length > 0)
      await writeReleaseText(
        ctx,
        shown.map((row) => indexable(row, sourceInOrg)),
      );
    const days = new Set(rows.flatMap(({ published_at }) => (published_at ? utcDay(published_at) : [])));
    await refreshFigures(ctx, { id: sourceId, visible: sourceInOrg.visible }, days);
    if (sourceInOrg.source.org_id) orgs.add(sourceInOrg.source.org_id);
  }
  for (const org of [...orgs].sort()) await refreshOrgCount(ctx, org);
}

function moved(row: ReleaseRow, canonical: string | null, visible: boolean): ReleaseRow {
  const listing = listingOf({ suppressed: row.suppressed, coverage_of: canonical }, visible);
  // Covered releases stay in the full-text index: both sides are found.
  return { ...row, coverage_of: canonical, listing, indexed: listing > 0 ? 1 : row.indexed };
}
