// How a delivery proves where it comes from: the service's own header and those of Standard Webhooks, over the same bytes.
import { createHmac } from 'node:crypto';

export interface SigningKeys {
  current: Uint8Array;
  // The key before a rotation, for receivers that do not know the current one yet.
  previous: Uint8Array | null;
}

interface SignedMessage {
  eventId: string;
  // Unix seconds of the attempt.
  timestamp: number;
  body: string;
}

export function signatureHeaders(message: SignedMessage, keys: SigningKeys): Record<string, string> {
  const { eventId, timestamp } = message;
  const standard = [keys.current, ...(keys.previous ? [keys.previous] : [])];
  return {
    'X-Service-Timestamp': String(timestamp),
    'X-Service-Signature': serviceSignature(message, keys.current),
    'webhook-id': eventId,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': standard.map((key) => standardSignature(message, key)).join(' '),
  };
}

// The signing key in both spellings, as the owner of a subscription is shown it once.
export function shownKey(key: Uint8Array): { signingKey: string; standardSecret: string } {
  const bytes = Buffer.from(key);
  return { signingKey: bytes.toString('hex'), standardSecret: `whsec_${bytes.toString('base64')}` };
}

function serviceSignature({ timestamp, body }: SignedMessage, key: Uint8Array): string {
  return `sha256=${createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex')}`;
}

function standardSignature({ eventId, timestamp, body }: SignedMessage, key: Uint8Array): string {
  return `v1,${createHmac('sha256', key).update(`${eventId}.${timestamp}.${body}`).digest('base64')}`;
}
