// Values that the service must be able to read again, encrypted with a key that is drawn from its secret.
import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto';
import type { Context } from '../context.ts';
import { ApiError } from '../contract/errors.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

export interface SealPurpose {
  // The purpose is part of the key derivation, so keys of different purposes are independent.
  info: string;
  // The owner of the value, which is authenticated with it: it cannot be decrypted for another owner.
  belongsTo: string;
}

export function seal(ctx: Pick<Context, 'secrets' | 'randomBytes'>, purpose: SealPurpose, value: Uint8Array): string {
  const { current } = requireSecrets(ctx);
  const nonce = ctx.randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyFor(current, purpose.info), nonce);
  cipher.setAAD(Buffer.from(purpose.belongsTo));
  return Buffer.concat([nonce, cipher.update(value), cipher.final(), cipher.getAuthTag()]).toString('base64');
}

// Tries the secrets from the newest to the oldest; null when none of them made this value.
export function unseal(ctx: Pick<Context, 'secrets'>, purpose: SealPurpose, sealed: string): Uint8Array | null {
  const { current, previous } = requireSecrets(ctx);
  for (const secret of [current, ...previous]) {
    const value = open(keyFor(secret, purpose.info), purpose, Buffer.from(sealed, 'base64'));
    if (value !== null) return value;
  }
  return null;
}

// The same value encrypted with the current secret: the same text when it is already, null when no secret decrypts it.
export function reseal(
  ctx: Pick<Context, 'secrets' | 'randomBytes'>,
  purpose: SealPurpose,
  sealed: string,
): string | null {
  const { current } = requireSecrets(ctx);
  if (open(keyFor(current, purpose.info), purpose, Buffer.from(sealed, 'base64')) !== null) return sealed;
  const value = unseal(ctx, purpose, sealed);
  return value === null ? null : seal(ctx, purpose, value);
}

export function requireSecrets({ secrets }: Pick<Context, 'secrets'>): NonNullable<Context['secrets']> {
  if (secrets !== null) return secrets;
  throw new ApiError('service_unavailable', 'the service has no secret; set REGISTRY_SECRET');
}

function open(key: Uint8Array, { belongsTo }: SealPurpose, sealed: Buffer): Uint8Array | null {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES));
  decipher.setAAD(Buffer.from(belongsTo));
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
  } catch {
    return null;
  }
}

// Drawn once for each secret and purpose: every signed delivery needs one.
const drawn = new WeakMap<Uint8Array, Map<string, Uint8Array>>();

function keyFor(secret: Uint8Array, info: string): Uint8Array {
  const keys = drawn.get(secret) ?? new Map<string, Uint8Array>();
  drawn.set(secret, keys);
  const key = keys.get(info) ?? new Uint8Array(hkdfSync('sha256', secret, '', info, 32));
  keys.set(info, key);
  return key;
}
