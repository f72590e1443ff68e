// Decides clusters from pairs and writes their links, under the lock that every writer of links takes.
import type { WriteContext } from '../../context.ts';
import { decideClusters, type Pair } from '../../domain/coverage/clusters.ts';
import { BY_CASCADE, BY_RULES, denialsAmong, isManual, linksAround, lockCoverage, writeLinks } from './links.ts';
import { asCoverable, rowsById } from './rows.ts';

// Returns whether links were written.
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
