// How many pairs somebody without a credential may still order in the running hour, counted over all processes.
import { sql } from 'kysely';
import { type Context, queries, type WriteContext } from '../../context.ts';
import { ANONYMOUS_PAIRS_AN_HOUR } from '../../domain/pairs/orders.ts';

const HOUR_MS = 3_600_000;

export async function allowanceLeft(ctx: Context, payer: string): Promise<number> {
  const row = await queries(ctx)
    .selectFrom('limits')
    .select('count')
    .where('key', '=', payer)
    .where('window_ends_at', '>', ctx.clock().toISOString())
    .executeTakeFirst();
  return Math.max(0, ANONYMOUS_PAIRS_AN_HOUR - Number(row?.count ?? 0));
}

// Takes as many as are wanted and left; returns how many.
export async function takeAllowance(ctx: WriteContext, payer: string, wanted: number): Promise<number> {
  await ctx.store.dialect.lock(ctx.tx, payer);
  const taken = Math.min(wanted, await allowanceLeft(ctx, payer));
  if (taken === 0) return 0;
  const at = ctx.clock();
  const end = new Date(at.getTime() + HOUR_MS).toISOString();
  await sql`INSERT INTO limits (key, count, window_ends_at) VALUES (${payer}, ${taken}, ${end})
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN limits.window_ends_at <= ${at.toISOString()} THEN excluded.count
                   ELSE limits.count + excluded.count END,
      window_ends_at = CASE WHEN limits.window_ends_at <= ${at.toISOString()} THEN excluded.window_ends_at
                            ELSE limits.window_ends_at END`.execute(ctx.tx);
  return taken;
}
