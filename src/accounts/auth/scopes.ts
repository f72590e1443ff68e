import { OAUTH_SCOPES } from '../../contract/oauth-client.ts';

export { OAUTH_SCOPES };
// Scopes of this service; the others describe the user.
export const RESOURCE_SCOPES = ['read', 'account'] as const;
const DEFAULT_SCOPES: readonly string[] = ['openid', 'read'];

export type OAuthScope = (typeof OAUTH_SCOPES)[number];

// What an app gets that names none: the usual ones among those that it may ask for.
export function defaultScopeOf(allowed: readonly string[]): string {
  const usual = DEFAULT_SCOPES.filter((scope) => allowed.includes(scope));
  return (usual.length > 0 ? usual : allowed).join(' ');
}

// What a scope lets an app do, as its user reads it.
const SCOPE_MEANINGS: Record<(typeof OAUTH_SCOPES)[number], string> = {
  openid: 'know that it is you',
  profile: 'see your name and picture',
  email: 'see your e-mail address',
  offline_access: 'keep its access while you are away',
  read: 'read the registry, and what you follow, as you',
  account: 'change what you follow, your feed address and your webhooks',
};

const MEANINGS: ReadonlyMap<string, string> = new Map(Object.entries(SCOPE_MEANINGS));

export function meaningsOf(scopes: readonly string[]): string[] {
  return scopes.flatMap((scope) => MEANINGS.get(scope) ?? []);
}

export function unknownScopes(scope: string, known: readonly string[] = OAUTH_SCOPES): string[] {
  return scope.split(' ').filter((name) => name !== '' && !known.includes(name));
}
