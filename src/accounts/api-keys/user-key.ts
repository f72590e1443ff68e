// User API keys: `relu_` and 64 letters. A hash of the whole value is stored, and its first characters, by which the
// owner recognizes it.
import { createHash } from 'node:crypto';
import { type Context, queries } from '../../context.ts';
import type { Caller } from '../../contract/caller.ts';
import type { UseNotes } from '../use-notes.ts';

export const USER_KEY_PREFIX = 'relu_';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const LENGTH = 64;
const SHOWN = 6;
const FORM = /^relu_[A-Za-z]{64}$/;

export function mintUserKey(randomBytes: (size: number) => Uint8Array): string {
  let text = USER_KEY_PREFIX;
  const end = USER_KEY_PREFIX.length + LENGTH;
  while (text.length < end) {
    for (const byte of randomBytes(LENGTH)) {
      // Six bits give 0–63; refusing those beyond the alphabet keeps every letter equally likely.
      if ((byte & 63) < LETTERS.length && text.length < end) text += LETTERS[byte & 63];
    }
  }
  return text;
}

function isUserKey(value: string): boolean {
  return FORM.test(value);
}

export function startOf(key: string): string {
  return key.slice(0, SHOWN);
}

export function hashOf(key: string): string {
  return createHash('sha256').update(key).digest('base64url');
}

// The account behind a user key; null for a key that is unknown, expired or switched off, and for a disabled account.
export async function identifyApiKey(ctx: Context, bearer: string, use?: UseNotes): Promise<Caller | null> {
  if (!isUserKey(bearer)) return null;
  const row = await queries(ctx)
    .selectFrom('api_keys')
    .innerJoin('users', 'users.id', 'api_keys.user_id')
    .select(['api_keys.id', 'api_keys.user_id', 'api_keys.name', 'api_keys.scope', 'api_keys.enabled'])
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
  const account = {
    userId: row.user_id,
    id: row.id,
    grants: [],
    expiresAt: row.expires_at,
    ...(row.scope === 'stacks' && { only: 'stacks' as const }),
  };
  return { kind: 'user_key', name: row.name, scope: 'read', tokenId: null, account, ip: '' };
}
