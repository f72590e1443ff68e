// Dynamic client registration (RFC 7591). Metadata that would make the service fetch a URL is not accepted.
import { createClient, scopesOf } from '../../accounts/auth/clients.ts';
import { redirectUrisFault } from '../../accounts/auth/redirect-uri.ts';
import { OAUTH_SCOPES, type OAuthScope, unknownScopes } from '../../accounts/auth/scopes.ts';
import { AUTH_METHODS } from '../../contract/oauth-client.ts';
import { fieldsOf } from './call.ts';
import { oauthError } from './errors.ts';
import type { AuthHandler } from './route.ts';

const MAX_NAME_LENGTH = 80;
const GRANTS = ['authorization_code', 'refresh_token'];

export const register: AuthHandler = async (call) => {
  const metadata = fieldsOf(call);
  const redirectFault = redirectUrisFault(metadata.redirect_uris);
  if (redirectFault) return oauthError('invalid_redirect_uri', redirectFault);
  const fault = metadataFault(metadata);
  if (fault) return oauthError('invalid_client_metadata', fault);
  const { row, secret } = await createClient(call.ctx, {
    name: String(metadata.client_name).trim(),
    redirectUris: textsIn(metadata.redirect_uris),
    postLogoutRedirectUris: textsIn(metadata.post_logout_redirect_uris),
    authMethod: AUTH_METHODS.find((method) => method === metadata.token_endpoint_auth_method) ?? 'client_secret_basic',
    scopes: requestedScopes(metadata.scope),
    byOperator: false,
  });
  const answer = {
    client_id: row.client_id,
    client_id_issued_at: Math.floor(Date.parse(row.created_at ?? '') / 1000),
    ...(secret === null ? {} : { client_secret: secret, client_secret_expires_at: 0 }),
    client_name: row.name,
    redirect_uris: JSON.parse(row.redirect_uris),
    post_logout_redirect_uris: JSON.parse(row.post_logout_redirect_uris ?? '[]'),
    token_endpoint_auth_method: row.token_endpoint_auth_method,
    grant_types: GRANTS,
    response_types: ['code'],
    scope: scopesOf(row).join(' '),
  };
  return Response.json(answer, { status: 201 });
};

// An app that registers scopes is limited to them.
function requestedScopes(scope: unknown): OAuthScope[] | undefined {
  const names = typeof scope === 'string' ? scope.split(' ') : [];
  const scopes = OAUTH_SCOPES.filter((name) => names.includes(name));
  return scopes.length > 0 ? scopes : undefined;
}

function metadataFault(metadata: Record<string, unknown>): string | null {
  const {
    client_name: name,
    token_endpoint_auth_method: method,
    grant_types: grants,
    response_types: types,
  } = metadata;
  if (typeof name !== 'string' || name.trim() === '' || [...name].length > MAX_NAME_LENGTH || /\p{Cc}/u.test(name)) {
    return `client_name must have 1 to ${MAX_NAME_LENGTH} characters`;
  }
  if (method !== undefined && !AUTH_METHODS.some((known) => known === method)) {
    return `token_endpoint_auth_method must be one of ${AUTH_METHODS.join(', ')}`;
  }
  if (grants !== undefined && !isSubset(grants, GRANTS)) return `grant_types may hold ${GRANTS.join(', ')}`;
  if (types !== undefined && !isSubset(types, ['code'])) return 'response_types may hold code';
  const strange = typeof metadata.scope === 'string' ? unknownScopes(metadata.scope) : [];
  if (strange.length > 0) return `there is no scope ${strange.join(', ')}`;
  const after = metadata.post_logout_redirect_uris;
  const faultAfter =
    after === undefined || (Array.isArray(after) && after.length === 0) ? null : redirectUrisFault(after);
  return faultAfter === null ? null : `post_${'logout_'}${faultAfter}`;
}

function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function isSubset(values: unknown, allowed: readonly string[]): boolean {
  return Array.isArray(values) && values.every((value) => allowed.includes(value));
}
