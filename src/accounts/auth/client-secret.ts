import { randomBase62 } from '../machine-token.ts';
import { storedForm } from './grants.ts';

export const CLIENT_SECRET_PREFIX = 'reloc_';

interface ClientSecret {
  // Shown once.
  value: string;
  stored: string;
}

export function mintClientSecret(randomBytes: (size: number) => Uint8Array): ClientSecret {
  const secret = randomBase62(43, randomBytes);
  return { value: `${CLIENT_SECRET_PREFIX}${secret}`, stored: storedForm(secret) };
}
