// Decides clusters from pairs and writes their links, under the lock that every writer of links takes.
import type { WriteContext } from '../../context.ts';
import { decideClusters, type Pair } from '../../domain/coverage/clusters.ts';
import { type CoverableRelease, WINDOW_MS } from '../../domain/coverage/release.ts';
import { BY_CASCADE, BY_RULES, denialsAmong, isManual, linksAround, lockCoverage, writeLinks } from './links.ts';
import { asCoverable, type LightRow, rowsById, rowsNear } from './rows.ts';

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

// Which stored releases a new one is compared with: those of other sources, nearest in time.

const MAX_CANDIDATES = 200;

export async function candidatesNear(
  ctx: WriteContext,
  scope: { org: string; exceptSource: string },
  fresh: readonly LightRow[],
): Promise<LightRow[]> {
  const times = fresh.flatMap(({ published_at }) => published_at ?? []);
  const near = await rowsNear(ctx, { scope, times, windowMs: WINDOW_MS });
  const present = ctx.clock().getTime();
  return near.filter(({ feed_at }) => Date.parse(feed_at) <= present);
}

type Timeline = { release: CoverableRelease; at: number }[];

export function timelineOf(releases: readonly CoverableRelease[]): Timeline {
  return releases
    .map((release) => ({ release, at: Date.parse(release.publishedAt) }))
    .sort((a, b) => a.at - b.at || (a.release.id < b.release.id ? -1 : 1));
}

export function nearest(release: CoverableRelease, timeline: Timeline): CoverableRelease[] {
  const at = Date.parse(release.publishedAt);
  const start = firstFrom(timeline, at - WINDOW_MS);
  const end = firstFrom(timeline, at + WINDOW_MS + 1);
  return timeline
    .slice(start, end)
    .sort((a, b) => Math.abs(a.at - at) - Math.abs(b.at - at))
    .slice(0, MAX_CANDIDATES)
    .map((one) => one.release);
}

function firstFrom(timeline: Timeline, at: number): number {
  let [low, high] = [0, timeline.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((timeline[middle]?.at ?? 0) < at) low = middle + 1;
    else high = middle;
  }
  return low;
}
