import { type Context, queries } from '../../context.ts';
import type { Caller } from '../../contract/caller.ts';
import type { UseNotes } from '../use-notes.ts';
import { hashOf, isUserKey } from './user-key.ts';

// The account behind a user key; null for a key that is unknown, expired or switched off, and for a disabled account.
export async function identifyApiKey(ctx: Context, bearer: string, use?: UseNotes): Promise<Caller | null> {
  if (!isUserKey(bearer)) return null;
  const row = await queries(ctx)
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select(['api_keys.id', 'api_keys.user_id', 'api_keys.name', 'api_keys.enabled'])
    .select(['api_keys.expires_at', 'api_keys.last_used_at', 'users.disabled_at'])
    .where('api_keys.key_hash', '=', hashOf(bearer))
    .executeTakeFirst();
  if (row?.enabled !== 1 || row.disabled_at !== null) return null;
  if (row.expires_at !== null && row.expires_at <= ctx.clock().toISOString()) return null;
  use?.note({
    key: row.id,
    lastUsedAt: row.last_used_at,
    write: (tx, at) => tx.updateTable('api_keys').set({ last_used_at: at }).where('id', '=', row.id).execute(),
  });
  const account = { userId: row.user_id, id: row.id, grants: [], expiresAt: row.expires_at };
  return { kind: 'user_key', name: row.name, scope: 'read', tokenId: null, account, ip: '' };
}
