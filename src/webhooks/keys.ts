// Encrypted signing keys. Each is bound to its subscription and version, so that it cannot be moved to another row.

import type { Reencryption } from '../accounts/feed-secret.ts';
import { reseal, type SealPurpose, seal, unseal } from '../accounts/sealing.ts';
import { type Context, transact, type WriteContext } from '../context.ts';
import { ApiError } from '../contract/errors.ts';
import type { SigningKeys } from '../domain/webhooks/signature.ts';
import type { WebhookSubscriptionRow } from '../store/schema/webhooks.ts';

const KEY_BYTES = 32;
export const OVERLAP_MS = 24 * 3_600_000;

export type KeyedRow = Pick<
  WebhookSubscriptionRow,
  'id' | 'secret_version' | 'signing_key' | 'previous_key' | 'previous_key_expires_at'
>;

export function newKey(
  ctx: Pick<Context, 'secrets' | 'randomBytes'>,
  owner: { id: string; version: number },
): { key: Uint8Array; sealed: string } {
  const key = ctx.randomBytes(KEY_BYTES);
  return { key, sealed: seal(ctx, keyPurpose(owner), key) };
}

// The keys of a subscription; null for chat formats, which have none. A previous key that cannot be decrypted is left out,
// because the current one is enough.
export function signingKeys(ctx: Pick<Context, 'secrets'>, row: KeyedRow, at: Date): SigningKeys | null {
  if (row.signing_key === null) return null;
  const current = openKey(ctx, { id: row.id, version: row.secret_version }, row.signing_key);
  const overlap = row.previous_key !== null && (row.previous_key_expires_at ?? '') > at.toISOString();
  const previous = overlap
    ? unseal(ctx, keyPurpose({ id: row.id, version: row.secret_version - 1 }), row.previous_key as string)
    : null;
  return { current, previous };
}

function keyPurpose({ id, version }: { id: string; version: number }): SealPurpose {
  return { info: 'webhook-key/1', belongsTo: `${id}:${version}` };
}

function openKey(ctx: Pick<Context, 'secrets'>, owner: { id: string; version: number }, sealed: string): Uint8Array {
  const key = unseal(ctx, keyPurpose(owner), sealed);
  if (key !== null) return key;
  throw new ApiError(
    'service_unavailable',
    'a signing key was encrypted with another secret; name that in REGISTRY_SECRET_PREVIOUS',
  );
}

const BATCH = 500;

// Encrypts signing keys with the current secret of the service.
export async function reencryptKeys(ctx: Context): Promise<Reencryption> {
  const result = { moved: 0, unreadable: 0 };
  let last = '';
  for (;;) {
    const ids = await ctx.store.read
      .selectFrom('webhook_subscriptions')
      .select('id')
      .where('id', '>', last)
      .where('signing_key', 'is not', null)
      .orderBy('id')
      .limit(BATCH)
      .execute();
    for (const { id } of ids) {
      const { moved, unreadable } = await transact(ctx, (ctx) => reencryptOne(ctx, id), 'bookkeeping');
      result.moved += moved;
      result.unreadable += unreadable;
    }
    if (ids.length < BATCH) return result;
    last = ids.at(-1)?.id ?? '';
  }
}

// The row is locked, so that a concurrent rotation is not overwritten.
async function reencryptOne(ctx: WriteContext, id: string): Promise<Reencryption> {
  const row = await ctx.tx
    .selectFrom('webhook_subscriptions')
    .select(['id', 'secret_version', 'signing_key', 'previous_key', 'previous_key_expires_at'])
    .where('id', '=', id)
    .modifyEnd(ctx.store.dialect.forUpdate)
    .executeTakeFirst();
  if (!row) return { moved: 0, unreadable: 0 };
  const keys = storedKeys(row).map((key) => ({ ...key, moved: reseal(ctx, keyPurpose(key), key.sealed) }));
  const changed = keys.filter(({ sealed, moved }) => moved !== null && moved !== sealed);
  const values = Object.fromEntries(changed.map(({ column, moved }) => [column, moved]));
  if (changed.length > 0) {
    await ctx.tx.updateTable('webhook_subscriptions').set(values).where('id', '=', id).execute();
  }
  return { moved: changed.length, unreadable: keys.filter(({ moved }) => moved === null).length };
}

function storedKeys({ id, secret_version, signing_key, previous_key }: KeyedRow) {
  return [
    { id, column: 'signing_key', version: secret_version, sealed: signing_key },
    { id, column: 'previous_key', version: secret_version - 1, sealed: previous_key },
  ].flatMap(({ sealed, ...key }) => (sealed === null ? [] : [{ ...key, sealed }]));
}
