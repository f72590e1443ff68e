export const SCOPES = ['read', 'write', 'admin'] as const;
export type Scope = (typeof SCOPES)[number];

// Who is calling. `system` is the service itself: loaders, workers, the command line on the server's host.
export interface Caller {
  kind: 'anonymous' | 'root' | 'token' | 'system';
  // What the audit log shows.
  name: string;
  scope: Scope | null;
  tokenId: string | null;
  ip: string;
}

export const ANONYMOUS: Caller = { kind: 'anonymous', name: 'anonymous', scope: null, tokenId: null, ip: '' };
export const SYSTEM: Caller = { kind: 'system', name: 'system', scope: 'admin', tokenId: null, ip: '' };

export function holdsScope(caller: Caller, needed: Scope): boolean {
  return caller.scope !== null && SCOPES.indexOf(caller.scope) >= SCOPES.indexOf(needed);
}

// A caller with write scope also sees hidden entities.
export function seesHidden(caller: Caller): boolean {
  return holdsScope(caller, 'write');
}
