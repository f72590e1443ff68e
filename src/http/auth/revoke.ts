// Token introspection, revocation and user info.
import { identifyAccessToken, looksLikeJwt } from '../../accounts/auth/access-token.ts';
import { findRefreshToken, revokeGrant } from '../../accounts/auth/grants.ts';
import { limitPolicy } from '../kernel/limits.ts';
import { type AuthCall, textOf } from './call.ts';
import { oauthError } from './errors.ts';
import { type ClaimedGrant, claimedGrant, formOf, isRefused } from './oauth.ts';
import type { AuthHandler } from './route.ts';

export const revoke: AuthHandler = async (call, parts) => {
  const form = formOf(call);
  const presented = form.get('token') ?? '';
  if (presented === '') return oauthError('invalid_request', 'token is required');
  const grant = looksLikeJwt(presented) ? claimedGrant(presented) : await grantOfRefresh(call, presented);
  // The library authenticates the client, but it cannot revoke a signed token, so it gets a placeholder in its place.
  form.set('token', grant && looksLikeJwt(presented) ? 'relo_none' : presented);
  form.set('token_type_hint', 'refresh_token');
  const response = await parts.pass({ ...call, body: { form } });
  if (response.status >= 400 && !(await isRefused(response, 'invalid_request'))) return response;
  const asking = form.get('client_id') ?? basicUser(call.request.headers.authorization);
  const valid = !looksLikeJwt(presented) || (await identifyAccessToken(call.ctx, presented)) !== null;
  if (grant && valid && grant.clientId === asking) await revokeGrant(call.ctx, grant.id);
  return Response.json({});
};

async function grantOfRefresh({ ctx }: AuthCall, presented: string): Promise<ClaimedGrant | null> {
  const row = await findRefreshToken(ctx, presented);
  return row?.authorization_code_id ? { id: row.authorization_code_id, clientId: row.client_id } : null;
}

function basicUser(authorization: string | undefined): string | null {
  const encoded = /^basic +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return null;
  const user = Buffer.from(encoded, 'base64').toString('utf8').split(':', 1)[0] ?? '';
  return decoded(user);
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

// The library does not know which grants were revoked.
export const introspect: AuthHandler = async (call, parts) => {
  const presented = textOf(call, 'token') ?? '';
  const response = await parts.pass(call);
  if (response.status !== 200 || !looksLikeJwt(presented)) return response;
  return (await identifyAccessToken(call.ctx, presented)) ? response : Response.json({ active: false });
};

export const userInfo: AuthHandler = async (call, parts) => {
  const bearer = /^bearer +(\S+) *$/i.exec(call.request.headers.authorization ?? '')?.[1];
  if (bearer && (await identifyAccessToken(call.ctx, bearer))) return parts.pass(call);
  // The `auth` limit has already counted a POST.
  if (bearer && call.method === 'GET') await call.request.takeLimit(limitPolicy('auth'));
  const refused = oauthError('invalid_token', 'the access token is not valid', 401);
  refused.headers.set('WWW-Authenticate', 'Bearer error="invalid_token"');
  return refused;
};
