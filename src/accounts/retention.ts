// What the service forgets with time.
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Schema } from '../store/schema/index.ts';
import { forgetUnusedClients } from './auth/clients.ts';
import { purgeEndedLimits } from './limits.ts';

interface Retention {
  table: keyof Schema;
  // Rows whose time in this column lies further back than `days` go.
  time: string;
  key: readonly string[];
  days: number;
}

// The audit log goes back two years, which are at most 731 days. Rows of a deleted entity go with it; these tables are
// cleaned by age, too.
const RETENTION: readonly Retention[] = [
  { table: 'fetch_log', time: 'created_at', key: ['id'], days: 180 },
  { table: 'usage_log', time: 'created_at', key: ['id'], days: 400 },
  { table: 'audit_log', time: 'created_at', key: ['id'], days: 731 },
  { table: 'search_log', time: 'at', key: ['id'], days: 30 },
  { table: 'idempotency', time: 'expires_at', key: ['caller_key', 'key'], days: 0 },
  { table: 'sessions', time: 'expires_at', key: ['id'], days: 0 },
  { table: 'operator_sessions', time: 'expires_at', key: ['id_hash'], days: 0 },
  { table: 'verifications', time: 'expires_at', key: ['id'], days: 0 },
  { table: 'address_changes', time: 'expires_at', key: ['token_hash'], days: 0 },
  { table: 'known_devices', time: 'last_used_at', key: ['user_id', 'device_hash'], days: 400 },
  { table: 'device_codes', time: 'expires_at', key: ['id'], days: 1 },
  { table: 'oauth_refresh_tokens', time: 'expires_at', key: ['id'], days: 0 },
  { table: 'oauth_revoked_grants', time: 'expires_at', key: ['id'], days: 0 },
  { table: 'jwks', time: 'expires_at', key: ['id'], days: 7 },
  { table: 'org_accounts', time: 'deleted_at', key: ['id'], days: 30 },
  { table: 'domain_aliases', time: 'deleted_at', key: ['id'], days: 30 },
  { table: 'release_locations', time: 'deleted_at', key: ['id'], days: 30 },
];

// Small enough that a writer waits only a moment.
const BATCH = 1000;
const DAY_MS = 86_400_000;

// One batch of each kind; true when more may be left.
export async function forgetOldRows(ctx: Context): Promise<boolean> {
  let more = false;
  for (const rule of RETENTION) more = (await deleteBatch(ctx, rule)) >= BATCH || more;
  await purgeEndedLimits(ctx);
  await forgetUnusedClients(ctx);
  return more;
}

async function deleteBatch(ctx: Context, { table, time, key, days }: Retention): Promise<number> {
  const before = new Date(ctx.clock().getTime() - days * DAY_MS).toISOString();
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const { numAffectedRows } = await ctx.store.transaction(
    (tx) =>
      sql`DELETE FROM ${sql.table(table)} WHERE (${columns}) IN
        (SELECT ${columns} FROM ${sql.table(table)} WHERE ${sql.ref(time)} < ${before} LIMIT ${BATCH})`.execute(tx),
    'bookkeeping',
  );
  return Number(numAffectedRows ?? 0);
}
