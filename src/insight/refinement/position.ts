// How far the walk over all releases has come. It starts over once a day, for releases that were edited since.
import { type Context, now, queries, transact } from '../../context.ts';
import { utcDay } from '../../domain/timestamps.ts';

const KEY = 'refinement';

export async function readPosition(ctx: Context): Promise<number> {
  const row = await queries(ctx).selectFrom('settings').select('value').where('key', '=', KEY).executeTakeFirst();
  const { day, seq } = row ? (JSON.parse(row.value) as { day: string; seq: number }) : { day: '', seq: 0 };
  return day === utcDay(now(ctx)) ? seq : 0;
}

export async function advance(ctx: Context, seq: number): Promise<void> {
  const columns = { value: JSON.stringify({ day: utcDay(now(ctx)), seq }), updated_at: now(ctx) };
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
