// Signing keys at rest: each is bound to its subscription and version, so that a row cannot lend its key to another.
import { type SealPurpose, seal, unseal } from '../accounts/sealing.ts';
import type { Context } from '../context.ts';
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

// Null for a row that has none, as chat formats do. A previous key that cannot be read is left out: the current one
// proves as much, and waiting would help nobody.
export function signingKeys(ctx: Pick<Context, 'secrets'>, row: KeyedRow, at: Date): SigningKeys | null {
  if (row.signing_key === null) return null;
  const current = openKey(ctx, { id: row.id, version: row.secret_version }, row.signing_key);
  const overlap = row.previous_key !== null && (row.previous_key_expires_at ?? '') > at.toISOString();
  const previous = overlap
    ? unseal(ctx, keyPurpose({ id: row.id, version: row.secret_version - 1 }), row.previous_key as string)
    : null;
  return { current, previous };
}

export function keyPurpose({ id, version }: { id: string; version: number }): SealPurpose {
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
