// Who is calling, and whether that is enough for the route.
import { ANONYMOUS, type Caller, holdsScope } from '../contract/caller.ts';
import { ApiError } from '../contract/errors.ts';
import type { Access } from './route.ts';

export interface CredentialCheck {
  // Null for every value that is not valid now, whatever the reason.
  identify(bearer: string): Promise<Caller | null>;
}

export interface Identity {
  caller: Caller;
  // A Bearer value was sent, valid or not.
  presented: boolean;
}

const BEARER = /^bearer +(\S+) *$/i;

export async function identifyCaller(
  credentials: CredentialCheck,
  request: { authorization: string | undefined; ip: string },
): Promise<Identity> {
  const bearer = request.authorization === undefined ? undefined : BEARER.exec(request.authorization)?.[1];
  const anonymous = { ...ANONYMOUS, ip: request.ip };
  if (bearer === undefined) return { caller: anonymous, presented: false };
  const caller = await credentials.identify(bearer);
  return { caller: caller ? { ...caller, ip: request.ip } : anonymous, presented: true };
}

export function requireAccess(access: Access, { caller, presented }: Identity): void {
  if (access === 'public') return;
  if (caller.kind === 'anonymous') throw unauthorized(presented);
  if (access === 'credential') return;
  if (access === 'account' || access === 'account:write') {
    requireAccount(access, caller);
    return;
  }
  if (holdsScope(caller, access)) return;
  throw new ApiError('insufficient_scope', `this call needs the scope ${access}`, { required: access });
}

// An app reads its account freely; it changes something only with the grant for that.
function requireAccount(access: 'account' | 'account:write', { kind, account }: Caller): void {
  if (!account) {
    throw new ApiError('unauthorized', 'this call needs the credential of an account', undefined, {
      'WWW-Authenticate': 'Bearer realm="registry", error="invalid_token"',
    });
  }
  if (access === 'account' || kind !== 'oauth' || account.grants.includes('account')) return;
  throw new ApiError('insufficient_scope', 'this call needs the scope account', { required: 'account' });
}

function unauthorized(presented: boolean): ApiError {
  const challenge = 'Bearer realm="registry"';
  return presented
    ? new ApiError('unauthorized', 'the credential is not valid', undefined, {
        'WWW-Authenticate': `${challenge}, error="invalid_token"`,
      })
    : new ApiError('unauthorized', 'this call needs a credential', undefined, { 'WWW-Authenticate': challenge });
}
