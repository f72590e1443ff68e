// Which stored releases a new one is compared with: those of other sources, nearest in time.
import type { WriteContext } from '../../context.ts';
import { type CoverableRelease, WINDOW_MS } from '../../domain/coverage/release.ts';
import { asCoverable, type LightRow, rowsNear } from './rows.ts';

const MAX_CANDIDATES = 200;

export async function candidatesNear(
  ctx: WriteContext,
  scope: { org: string; exceptSource: string },
  fresh: readonly LightRow[],
): Promise<CoverableRelease[]> {
  const times = fresh.flatMap(({ published_at }) => published_at ?? []);
  const near = await rowsNear(ctx, { scope, times, windowMs: WINDOW_MS });
  const present = ctx.clock().getTime();
  return asCoverable(
    ctx,
    near.filter(({ feed_at }) => Date.parse(feed_at) <= present),
  );
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
