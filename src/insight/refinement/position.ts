// How far the walk over all releases has come. It starts over once a day, for releases that were edited since.
import { type Context, now, queries, transact } from '../../context.ts';
import { utcDay } from '../../domain/timestamps.ts';

const KEY = 'refinement';
// A release at which the model fails so often in a row is left for the next day: the others must not wait for it.
const MOST_TRIES = 3;

interface Position {
  seq: number;
  /** Calls in a row that came to nothing at the release after `seq`. */
  tries: number;
}

export async function readPosition(ctx: Context): Promise<Position> {
  const row = await queries(ctx).selectFrom('settings').select('value').where('key', '=', KEY).executeTakeFirst();
  const stored = row ? (JSON.parse(row.value) as { day: string; seq: number; tries?: number }) : null;
  return stored?.day === utcDay(now(ctx)) ? { seq: stored.seq, tries: stored.tries ?? 0 } : { seq: 0, tries: 0 };
}

export function advance(ctx: Context, seq: number): Promise<void> {
  return keep(ctx, { seq, tries: 0 });
}

/** After a call that came to nothing: stays before the release, or passes it by. */
export function hesitate(ctx: Context, { seq, tries }: Position, release: { seq: number }): Promise<void> {
  return tries + 1 < MOST_TRIES ? keep(ctx, { seq, tries: tries + 1 }) : advance(ctx, release.seq);
}

async function keep(ctx: Context, position: Position): Promise<void> {
  const columns = { value: JSON.stringify({ day: utcDay(now(ctx)), ...position }), updated_at: now(ctx) };
  await transact(
    ctx,
    ({ tx }) =>
      tx
        .insertInto('settings')
        .values({ key: KEY, ...columns })
        .onConflict((conflict) => conflict.column('key').doUpdateSet(columns))
        .execute(),
    'bookkeeping',
  );
}
