import { randomBase62 } from '../../domain/secret-text.ts';

// Ids of what belongs to accounts; none of them stands in a public path.
const PREFIXES: Record<string, string> = {
  user: 'usr',
  session: 'ses',
  account: 'idn',
  verification: 'ver',
  jwks: 'jwk',
  deviceCode: 'dev',
  oauthClient: 'app',
  oauthRefreshToken: 'ort',
  oauthConsent: 'con',
};

const LENGTH = 21;

export function newAccountId(model: string, randomBytes: (size: number) => Uint8Array): string {
  return `${PREFIXES[model] ?? 'row'}_${randomBase62(LENGTH, randomBytes)}`;
}
