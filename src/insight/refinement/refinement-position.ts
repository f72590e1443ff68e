// The position of the pass over all releases. The pass starts over once a day, for releases that were edited since.
import { type Context, now, queries, transact } from '../../context.ts';
import { utcDay } from '../../domain/timestamps.ts';
import { toJson } from '../../store/json-text.ts';
import { readSetting, writeSetting } from '../../store/settings.ts';

const KEY = 'refinement';

// After this many failures in a row a release is left for the next day, so that the others do not wait for it.
const MOST_TRIES = 3;

interface RefinementPosition {
  seq: number;
  // How many calls in a row have failed at the release after `seq`.
  tries: number;
}

export async function readPosition(ctx: Context): Promise<RefinementPosition> {
  const stored = await readSetting<{ day: string; seq: number; tries?: number }>(queries(ctx), KEY);
  return stored?.day === utcDay(now(ctx)) ? { seq: stored.seq, tries: stored.tries ?? 0 } : { seq: 0, tries: 0 };
}

export function advance(ctx: Context, seq: number): Promise<void> {
  return writePosition(ctx, { seq, tries: 0 });
}

// After a failed call the position stays before the release, or moves past it when it failed too often.
export function recordFailure(
  ctx: Context,
  { seq, tries }: RefinementPosition,
  release: { seq: number },
): Promise<void> {
  return tries + 1 < MOST_TRIES ? writePosition(ctx, { seq, tries: tries + 1 }) : advance(ctx, release.seq);
}

async function writePosition(ctx: Context, position: RefinementPosition): Promise<void> {
  const value = toJson({ day: utcDay(now(ctx)), ...position });
  await transact(ctx, ({ tx }) => writeSetting(tx, { key: KEY, value, updated_at: now(ctx) }), 'bookkeeping');
}
