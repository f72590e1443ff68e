// Limiters that count over all processes: one row for each key and its running window.
import { sql } from 'kysely';
import { type Context, queries, transact } from '../context.ts';
import { storedForm } from './auth/grants.ts';

interface SharedLimit {
  key: string;
  limit: number;
  windowSeconds: number;
}

interface SharedAllowance {
  allowed: boolean;
  left: number;
  // Until the window ends, rounded up.
  seconds: number;
}

// One statement decides and counts, so concurrent callers of any process cannot pass together. The count stops one
// above the limit: a refused caller does not push its own window further.
export async function consumeSharedLimit(ctx: Context, input: SharedLimit): Promise<SharedAllowance> {
  const { key, limit, windowSeconds } = input;
  const now = ctx.clock();
  const at = now.toISOString();
  const end = new Date(now.getTime() + windowSeconds * 1000).toISOString();
  // In an open transaction the count stands and falls with what it was taken for.
  const row = await transact(
    ctx,
    async ({ tx }) => {
      const { rows } = await sql<{ count: number; window_ends_at: string }>`
      INSERT INTO limits (key, count, window_ends_at) VALUES (${key}, 1, ${end})
      ON CONFLICT (key) DO UPDATE SET
        count = CASE WHEN limits.window_ends_at <= ${at} THEN 1
                     WHEN limits.count > ${limit} THEN limits.count
                     ELSE limits.count + 1 END,
        window_ends_at = CASE WHEN limits.window_ends_at <= ${at} THEN excluded.window_ends_at
                              ELSE limits.window_ends_at END
      RETURNING count, window_ends_at`.execute(tx);
      return rows[0];
    },
    'bookkeeping',
  );
  const used = row?.count ?? 0;
  const endsAt = Date.parse(row?.window_ends_at ?? end);
  return {
    allowed: used <= limit,
    left: Math.max(0, limit - used),
    seconds: Math.max(1, Math.ceil((endsAt - now.getTime()) / 1000)),
  };
}

// Whether anything was counted under the key in its running window.
export async function isCounted(ctx: Context, key: string): Promise<boolean> {
  const row = await queries(ctx)
    .selectFrom('limits')
    .select('count')
    .where('key', '=', key)
    .where('window_ends_at', '>', ctx.clock().toISOString())
    .executeTakeFirst();
  return row !== undefined && row.count > 0;
}

export async function purgeEndedLimits(ctx: Context): Promise<void> {
  const at = ctx.clock().toISOString();
  await ctx.store.transaction(
    (tx) => tx.deleteFrom('limits').where('window_ends_at', '<=', at).execute(),
    'bookkeeping',
  );
}

// Counts wrong passwords for one e-mail address from one network address. An attempt is counted before the password is
// checked, so that many concurrent attempts do not pass together; a correct one is subtracted again.

// A hash, because what is typed into an e-mail field may be anything of any length.
export function attemptKey(email: string, address: string): string {
  return `${storedForm(email.trim().toLowerCase())} ${address}`;
}

export async function takeBack(ctx: Context, key: string): Promise<void> {
  await ctx.store.transaction(
    (tx) =>
      tx.updateTable('limits').set({ count: sql`count - 1` }).where('key', '=', key).where('count', '>', 0).execute(),
    'bookkeeping',
  );
}
