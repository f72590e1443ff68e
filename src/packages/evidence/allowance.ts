// What somebody may still order in a running window, counted over all processes.
import { sql } from 'kysely';
import { type Context, queries, type WriteContext } from '../../context.ts';
import { ANONYMOUS_PAIRS_AN_HOUR } from '../../domain/pairs/orders.ts';

const HOUR_MS = 3_600_000;

export interface Allowance {
  key: string;
  limit: number;
  windowMs: number;
}

// The pairs that somebody without a credential may order in an hour.
export function pairAllowance(payer: string): Allowance {
  return { key: payer, limit: ANONYMOUS_PAIRS_AN_HOUR, windowMs: HOUR_MS };
}

export async function allowanceLeft(ctx: Context, { key, limit }: Allowance): Promise<number> {
  const row = await runningWindow(ctx, key);
  return Math.max(0, limit - Number(row?.count ?? 0));
}

// When the running window ends; now where none runs.
export async function allowanceRenewsAt(ctx: Context, { key }: Allowance): Promise<string> {
  return (await runningWindow(ctx, key))?.window_ends_at ?? ctx.clock().toISOString();
}

function runningWindow(ctx: Context, key: string) {
  return queries(ctx)
    .selectFrom('limits')
    .select(['count', 'window_ends_at'])
    .where('key', '=', key)
    .where('window_ends_at', '>', ctx.clock().toISOString())
    .executeTakeFirst();
}

// Takes as many as are wanted and left; returns how many.
export async function takeAllowance(ctx: WriteContext, allowance: Allowance, wanted: number): Promise<number> {
  const { key, windowMs } = allowance;
  if (wanted === 0) return 0;
  await ctx.store.dialect.lock(ctx.tx, key);
  const taken = Math.min(wanted, await allowanceLeft(ctx, allowance));
  if (taken === 0) return 0;
  const at = ctx.clock();
  const end = new Date(at.getTime() + windowMs).toISOString();
  await sql`INSERT INTO limits (key, count, window_ends_at) VALUES (${key}, ${taken}, ${end})
    ON CONFLICT (key) DO UPDATE SET
      count = CASE WHEN limits.window_ends_at <= ${at.toISOString()} THEN excluded.count
                   ELSE limits.count + excluded.count END,
      window_ends_at = CASE WHEN limits.window_ends_at <= ${at.toISOString()} THEN excluded.window_ends_at
                            ELSE limits.window_ends_at END`.execute(ctx.tx);
  return taken;
}
