// Verifies the signature of a delivery, as a receiver does, for both families of headers and both spellings of a key.
import { createHmac, timingSafeEqual } from 'node:crypto';

interface ReceivedDelivery {
  key: Uint8Array;
  // The value of `X-Service-Signature` or `webhook-signature`.
  signature: string;
  timestamp: string;
  // The value of `webhook-id`, which the signature of Standard Webhooks covers.
  id?: string;
  body: Uint8Array;
  // Unix milliseconds.
  now: number;
}

type VerifiedDelivery = 'valid' | 'invalid_timestamp' | 'timestamp_outside_window' | 'signature_mismatch';

const WINDOW_SECONDS = 300;

export function verifyDelivery({ key, signature, timestamp, id, body, now }: ReceivedDelivery): VerifiedDelivery {
  if (!/^\d{1,15}$/.test(timestamp)) return 'invalid_timestamp';
  if (Math.abs(now / 1000 - Number(timestamp)) > WINDOW_SECONDS) return 'timestamp_outside_window';
  const signed = (prefix: string) => createHmac('sha256', key).update(prefix).update(body).digest();
  const service = signed(`${timestamp}.`);
  const standard = id === undefined ? null : signed(`${id}.${timestamp}.`);
  // During a rotation the header holds signatures of both keys; one valid signature is enough.
  const isGenuine = signature
    .trim()
    .split(/\s+/)
    .some((one) => {
      if (one.startsWith('sha256=')) return isEqual(service, Buffer.from(one.slice(7), 'hex'));
      return standard !== null && one.startsWith('v1,') && isEqual(standard, Buffer.from(one.slice(3), 'base64'));
    });
  return isGenuine ? 'valid' : 'signature_mismatch';
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

// The key in hex or as `whsec_` and base64; null when it is neither.
export function readSigningKey(text: string): Uint8Array | null {
  const value = text.trim();
  if (/^[0-9a-f]{64}$/i.test(value)) return Buffer.from(value, 'hex');
  const [, encoded] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(value) ?? [];
  const bytes = encoded === undefined ? null : Buffer.from(encoded, 'base64');
  return bytes !== null && bytes.length >= 16 ? bytes : null;
}
