// Negative results of lookups, cached for some hours.
import { type Context, queries, transact } from '../../context.ts';
import type { LookupStatus } from '../../contract/lookup-run.ts';

const HOUR_MS = 3_600_000;
const TTL_HOURS = { not_found: 24, empty: 6 } as const;

export type Negative = Extract<LookupStatus, keyof typeof TTL_HOURS>;

export async function recall(ctx: Context, coordinate: string): Promise<Negative | null> {
  const row = await queries(ctx)
    .selectFrom('lookups')
    .select('status')
    .where('coordinate', '=', coordinate)
    .where('expires_at', '>', ctx.clock().toISOString())
    .executeTakeFirst();
  return row?.status ?? null;
}

export async function remember(ctx: Context, coordinate: string, status: Negative): Promise<void> {
  const expires_at = new Date(ctx.clock().getTime() + TTL_HOURS[status] * HOUR_MS).toISOString();
  await transact(
    ctx,
    ({ tx }) =>
      tx
        .insertInto('lookups')
        .values({ coordinate, status, expires_at })
        .onConflict((conflict) => conflict.column('coordinate').doUpdateSet({ status, expires_at }))
        .execute(),
    'bookkeeping',
  );
}

export async function forget(ctx: Context, coordinate: string): Promise<void> {
  await transact(
    ctx,
    ({ tx }) => tx.deleteFrom('lookups').where('coordinate', '=', coordinate).execute(),
    'bookkeeping',
  );
}

// Removes expired rows; called by the nightly job.
export async function purgeRemembered(ctx: Context): Promise<void> {
  const at = ctx.clock().toISOString();
  await transact(ctx, ({ tx }) => tx.deleteFrom('lookups').where('expires_at', '<=', at).execute(), 'bookkeeping');
}
