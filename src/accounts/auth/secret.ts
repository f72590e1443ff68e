// What sign-in signs and encrypts with: strings drawn from the service's secrets, so that the same secret never serves
// two purposes.
import { hkdfSync } from 'node:crypto';
import type { Context } from '../../context.ts';
import { requireSecrets } from '../sealing.ts';

interface AuthSecret {
  // Tells stored values which secret encrypted them, also after the list has changed.
  version: number;
  value: string;
}

// Secrets come newest first.
export function authSecrets(ctx: Pick<Context, 'secrets'>): [AuthSecret, ...AuthSecret[]] {
  const { current, previous } = requireSecrets(ctx);
  return [toAuthSecret(current), ...previous.map(toAuthSecret)];
}

export function authSecret(ctx: Pick<Context, 'secrets'>): string {
  return authSecrets(ctx)[0].value;
}

function toAuthSecret(secret: Uint8Array): AuthSecret {
  const version = Buffer.from(hkdfSync('sha256', secret, '', 'auth-version/1', 4)).readUInt32BE() >>> 1;
  const value = Buffer.from(hkdfSync('sha256', secret, '', 'auth/1', 32)).toString('base64url');
  return { version, value };
}
