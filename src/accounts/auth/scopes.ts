export const OAUTH_SCOPES = ['openid', 'profile', 'email', 'offline_access', 'read', 'account'] as const;
// Those that say something about this service; the others are about who the user is.
export const RESOURCE_SCOPES = ['read', 'account'] as const;
export const DEFAULT_SCOPE = 'openid read';

// What a scope lets an app do, as its user reads it.
export const SCOPE_MEANINGS: Record<(typeof OAUTH_SCOPES)[number], string> = {
  openid: 'know that it is you',
  profile: 'see your name and picture',
  email: 'see your e-mail address',
  offline_access: 'keep its access while you are away',
  read: 'read the registry, and what you follow, as you',
  account: 'change what you follow, your feed address and your webhooks',
};

export function unknownScopes(scope: string): string[] {
  const known: readonly string[] = OAUTH_SCOPES;
  return scope.split(' ').filter((name) => name !== '' && !known.includes(name));
}
