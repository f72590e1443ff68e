// Releases of one launch in several sources of an org: pairs by rule, joined to clusters.
import type { WriteContext } from '../../context.ts';
import { decideClusters, type Pair } from '../../domain/coverage/clusters.ts';
import { pairReleases } from '../../domain/coverage/pair-rules.ts';
import { type CoverableRelease, WINDOW_MS } from '../../domain/coverage/release.ts';
import { bodyLinks } from './body-links.ts';
import { BY_CASCADE, BY_RULES, denialsAmong, isManual, linksAround, lockCoverage, writeLinks } from './links.ts';
import { asCoverable, type LightRow, rowsById, rowsNear } from './rows.ts';

const MAX_CANDIDATES = 200;
const MAX_BODIES = 20;
const MAX_BODIES_IN_BATCH = 200;

export interface CoveredOrg {
  id: string;
  name: string;
}

export async function coverInOrg(
  ctx: WriteContext,
  org: CoveredOrg,
  sourceId: string,
  fresh: readonly LightRow[],
): Promise<void> {
  const times = fresh.flatMap(({ published_at }) => published_at ?? []);
  const near = await rowsNear(ctx, { org: org.id, exceptSource: sourceId }, times, WINDOW_MS);
  const present = ctx.clock().getTime();
  const candidates = await asCoverable(
    ctx,
    near.filter(({ feed_at }) => Date.parse(feed_at) <= present),
  );
  if (candidates.length === 0) return;
  const pairs = await findPairs(ctx, org, await asCoverable(ctx, fresh), candidates);
  if (pairs.length === 0) return;

  await lockCoverage(ctx);
  const paired = [...new Set(pairs.flatMap(({ a, b }) => [a.id, b.id]))];
  const links = await linksAround(ctx, paired);
  const cascades = new Set(links.filter((link) => link.decided_by === BY_CASCADE).map((link) => link.coverage_id));
  const clustered = links.filter(({ coverage_id }) => !cascades.has(coverage_id));
  const ids = [...new Set([...paired, ...clustered.flatMap((link) => [link.coverage_id, link.canonical_id])])];
  const members = await asCoverable(ctx, await rowsById(ctx, ids));
  const decisions = decideClusters(
    // What a cascade hides speaks through its canonical.
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
}

async function findPairs(
  ctx: WriteContext,
  org: CoveredOrg,
  fresh: readonly CoverableRelease[],
  candidates: readonly CoverableRelease[],
): Promise<Pair[]> {
  const timeline = timelineOf(candidates);
  const near = fresh.map((release) => ({ release, others: nearest(release, timeline) }));
  const bodies = new Set(near.flatMap(({ others }) => others.slice(0, MAX_BODIES).map(({ id }) => id)));
  const read = [...near.filter(({ others }) => others.length > 0).map(({ release }) => release.id)];
  const linksTo = await bodyLinks(ctx, {
    orgId: org.id,
    read: [...read, ...[...bodies].slice(0, MAX_BODIES_IN_BATCH)],
    among: [...fresh, ...candidates],
  });
  const facts = { orgName: org.name, linksTo };
  return near.flatMap(({ release, others }) =>
    others.flatMap((other) => {
      const pairing = pairReleases(release, other, facts);
      return pairing ? { a: release, b: other, ...pairing } : [];
    }),
  );
}

type Timeline = { release: CoverableRelease; at: number }[];

function timelineOf(releases: readonly CoverableRelease[]): Timeline {
  return releases
    .map((release) => ({ release, at: Date.parse(release.publishedAt) }))
    .sort((a, b) => a.at - b.at || (a.release.id < b.release.id ? -1 : 1));
}

function nearest(release: CoverableRelease, timeline: Timeline): CoverableRelease[] {
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
