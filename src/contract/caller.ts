export const SCOPES = ['read', 'publish', 'write', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

export const BOUND_TYPES = ['org', 'product', 'source'] as const;

// Where alone a credential has its scope. Elsewhere its holder reads.
export interface CredentialBound {
  type: (typeof BOUND_TYPES)[number];
  id: string;
  scope: Scope | null;
}

// The facts of an account credential besides its account.
export interface AccountCredential {
  userId: string;
  // The row of the session or key; null for an access token, which is not stored.
  id: string | null;
  // Scopes that the app was granted; sessions and keys need no grant.
  grants: readonly string[];
  expiresAt: string | null;
  // When the session began; only sessions have it.
  signedInAt?: string;
  // The key may do nothing else.
  only?: 'stacks';
}

// Who is calling. `system` is the service itself: loaders, workers, the command line on the server's host.
export interface Caller {
  kind: 'anonymous' | 'root' | 'token' | 'session' | 'user_key' | 'oauth' | 'system';
  // The name that the audit log shows.
  name: string;
  scope: Scope | null;
  tokenId: string | null;
  // `scope` is what holds everywhere; this is what holds within one entry.
  bound?: CredentialBound;
  // Present for the credential kinds session, user_key and oauth.
  account?: AccountCredential;
  // Names the session in a browser through which an operator calls.
  operatorSession?: string;
  // Nobody waits for the answer: a crawler, a badge, a bot. Without a credential its questions start no work.
  passive?: true;
  // Nobody has asked for the answer yet: a HEAD, a prefetch, a picture on another site.
  unread?: true;
  ip: string;
}

export const ANONYMOUS: Caller = { kind: 'anonymous', name: 'anonymous', scope: null, tokenId: null, ip: '' };
export const SYSTEM: Caller = { kind: 'system', name: 'system', scope: 'admin', tokenId: null, ip: '' };

export function holdsScope(caller: Pick<Caller, 'scope'>, needed: Scope): boolean {
  return caller.scope !== null && SCOPES.indexOf(caller.scope) >= SCOPES.indexOf(needed);
}

// Whether the caller has the scope at least somewhere. What a call touches is checked when its route runs.
export function mayHoldScope(caller: Caller, needed: Scope): boolean {
  return holdsScope(caller, needed) || holdsScope({ scope: caller.bound?.scope ?? null }, needed);
}

// A caller with write scope also sees hidden entities.
export function seesHidden(caller: Caller): boolean {
  return holdsScope(caller, 'write');
}
