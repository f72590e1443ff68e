// What the OAuth endpoints demand beyond what the library does by itself.
import { identifyAccessToken, issuerOf, looksLikeJwt, resourcesOf } from '../accounts/auth/access-token.ts';
import { findClient, noteClientUse, redirectUrisOf } from '../accounts/auth/clients.ts';
import { findRefreshToken, revokeGrant, storedForm } from '../accounts/auth/grants.ts';
import { isRegistered } from '../accounts/auth/redirect-uri.ts';
import { DEFAULT_SCOPE, unknownScopes } from '../accounts/auth/scopes.ts';
import type { Config } from '../config.ts';
import { type AuthCall, fieldsOf, textOf } from './auth-call.ts';
import type { AuthParts, AuthRoute } from './auth-door.ts';
import { oauthError } from './auth-errors.ts';

type Handler = AuthRoute['handle'];

const ASKED = ['response_type', 'client_id', 'redirect_uri', 'state', 'code_challenge', 'nonce', 'max_age'] as const;
const PROMPTS = ['none', 'login', 'consent', 'create'];
const CHALLENGE = /^[\w-]{43}$/;

interface Refusal {
  error: string;
  description: string;
}

// The checks before the first one that may answer by redirect guard against becoming an open redirector.
export const authorize: Handler = async (call, parts) => {
  const { ctx, query } = call;
  const client = await findClient(ctx, query.get('client_id') ?? '');
  if (!client || client.disabled === 1) return oauthError('invalid_client', 'there is no such app');
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!isRegistered(redirectUri, redirectUrisOf(client))) {
    return oauthError('invalid_request', 'redirect_uri is not one that the app has registered');
  }
  const refusal = authorizeRefusal(ctx.config, query);
  if (refusal)
    return redirect(withAnswer(redirectUri, { ...toParams(refusal), ...stateOf(query), iss: issuerOf(ctx.config) }));
  return withOwnIssuer(ctx.config, await parts.pass({ ...call, query: authorizeQuery(ctx.config, query) }));
};

function authorizeRefusal(config: Config, query: URLSearchParams): Refusal | null {
  const repeated = [...ASKED, 'scope', 'code_challenge_method'].find((name) => query.getAll(name).length > 1);
  if (repeated) return invalid(`${repeated} must not be repeated`);
  if (query.has('request') || query.has('request_uri')) return invalid('request objects are not supported');
  if (query.get('response_type') !== 'code') {
    return { error: 'unsupported_response_type', description: 'response_type must be code' };
  }
  if (!query.get('state')) return invalid('state is required');
  if (query.get('code_challenge_method') !== 'S256') return invalid('code_challenge_method must be S256');
  if (!CHALLENGE.test(query.get('code_challenge') ?? '')) return invalid('code_challenge is required');
  const strange = unknownScopes(query.get('scope') ?? '');
  if (strange.length > 0) return { error: 'invalid_scope', description: `there is no scope ${strange.join(', ')}` };
  const resources = resourcesIn(query);
  const foreign = resources.find((resource) => !resourcesOf(config).includes(resource));
  return foreign === undefined ? null : { error: 'invalid_target', description: 'resource is not served here' };
}

function invalid(description: string): Refusal {
  return { error: 'invalid_request', description };
}

// Without a resource a token would not be a signed one, and without a scope it would be good for nothing.
function authorizeQuery(config: Config, query: URLSearchParams): URLSearchParams {
  const passed = new URLSearchParams();
  for (const name of ASKED) if (query.has(name)) passed.set(name, query.get(name) ?? '');
  passed.set('code_challenge_method', 'S256');
  passed.set('scope', query.get('scope')?.trim() || DEFAULT_SCOPE);
  const prompts = (query.get('prompt') ?? '').split(' ').filter((prompt) => PROMPTS.includes(prompt));
  if (prompts.length > 0) passed.set('prompt', prompts.join(' '));
  const resources = resourcesIn(query);
  for (const resource of resources.length > 0 ? resources : [config.baseUrl]) passed.append('resource', resource);
  return passed;
}

function resourcesIn(fields: URLSearchParams): string[] {
  return fields
    .getAll('resource')
    .filter((resource) => resource !== '')
    .map((resource) => resource.replace(/\/$/, ''));
}

function stateOf(query: URLSearchParams): Record<string, string> {
  const state = query.get('state');
  return state ? { state } : {};
}

function toParams({ error, description }: Refusal): Record<string, string> {
  return { error, error_description: description };
}

function withAnswer(uri: string, params: Record<string, string>): string {
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(params)}`;
}

export function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { Location: location } });
}

// The library writes https into the issuer of a plain http service that is not on this machine.
function withOwnIssuer(config: Config, response: Response): Response {
  const location = response.headers.get('location');
  if (location === null || !location.includes('iss=')) return response;
  const assumed = issuerOf(config).replace(/^http:/, 'https:');
  const spelled = (issuer: string) => `iss=${encodeURIComponent(issuer)}`;
  const headers = new Headers(response.headers);
  headers.set('location', location.replace(spelled(assumed), spelled(issuerOf(config))));
  return new Response(null, { status: response.status, headers });
}

export const token: Handler = async (call, parts) => {
  const form = formOf(call);
  if (form.has('client_assertion')) return oauthError('invalid_client', 'client assertions are not supported');
  const resources = resourcesIn(form);
  form.delete('resource');
  for (const resource of resources) form.append('resource', resource);
  const passed: AuthCall = { ...call, body: { form } };
  switch (form.get('grant_type')) {
    case 'authorization_code':
      return exchangeCode(passed, form, parts);
    case 'refresh_token':
      return refresh(passed, form, parts);
    default:
      return oauthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token');
  }
};

async function exchangeCode(call: AuthCall, form: URLSearchParams, parts: AuthParts): Promise<Response> {
  const code = form.get('code') ?? '';
  if (code === '') return oauthError('invalid_request', 'code is required');
  if (!form.get('code_verifier')) return oauthError('invalid_request', 'code_verifier is required');
  const response = asGrantError(await parts.pass(call));
  // A code that is used again may have been stolen: what it has brought before ends.
  if (await isRefused(response, 'invalid_grant')) await revokeGrant(call.ctx, storedForm(code));
  return onlyUsable(call, response, storedForm(code));
}

async function refresh(call: AuthCall, form: URLSearchParams, parts: AuthParts): Promise<Response> {
  const presented = form.get('refresh_token') ?? '';
  const row = await findRefreshToken(call.ctx, presented);
  const grantId = row?.authorization_code_id ?? null;
  if (!row || grantId === null) return oauthError('invalid_grant', 'the refresh token is not valid');
  const response = await parts.pass(call);
  if (await isRefused(response, 'invalid_grant')) {
    // Gone, or replaced before: whoever presents it again is not the one who got its successor.
    const after = await findRefreshToken(call.ctx, presented);
    if (after === null || after.revoked !== null) await revokeGrant(call.ctx, grantId);
  }
  return onlyUsable(call, response, grantId);
}

// The library calls a wrong verifier an invalid request of an unknown client; the standard calls it an invalid grant.
function asGrantError(response: Response): Response {
  return response.status === 401 && !response.headers.has('www-authenticate')
    ? oauthError('invalid_grant', 'the code and its verifier do not belong together')
    : response;
}

async function isRefused(response: Response, error: string): Promise<boolean> {
  if (response.status !== 400) return false;
  const body = (await response.clone().json()) as { error?: unknown };
  return body.error === error;
}

// A token that would be refused at once (disabled account or app, grant revoked meanwhile) is not handed out.
async function onlyUsable({ ctx }: AuthCall, response: Response, grantId: string): Promise<Response> {
  if (response.status !== 200) return response;
  const { access_token: issued } = (await response.clone().json()) as { access_token: string };
  if (await identifyAccessToken(ctx, issued)) {
    await noteClientUse(ctx, grantOfJwt(issued)?.clientId ?? '');
    return response;
  }
  await revokeGrant(ctx, grantId);
  return oauthError('invalid_grant', 'the grant is not valid any more');
}

export const revoke: Handler = async (call, parts) => {
  const form = formOf(call);
  const presented = form.get('token') ?? '';
  if (presented === '') return oauthError('invalid_request', 'token is required');
  const grant = looksLikeJwt(presented) ? grantOfJwt(presented) : await grantOfRefresh(call, presented);
  // The library checks who asks; it would not revoke a signed token, so it is shown another one.
  form.set('token', grant && looksLikeJwt(presented) ? 'relo_none' : presented);
  form.set('token_type_hint', 'refresh_token');
  const response = await parts.pass({ ...call, body: { form } });
  if (response.status >= 400 && !(await isRefused(response, 'invalid_request'))) return response;
  const asking = form.get('client_id') ?? basicUser(call.exchange.request.headers.authorization);
  const valid = !looksLikeJwt(presented) || (await identifyAccessToken(call.ctx, presented)) !== null;
  if (grant && valid && grant.clientId === asking) await revokeGrant(call.ctx, grant.id);
  return Response.json({});
};

interface Grant {
  id: string;
  clientId: string;
}

async function grantOfRefresh({ ctx }: AuthCall, presented: string): Promise<Grant | null> {
  const row = await findRefreshToken(ctx, presented);
  return row?.authorization_code_id ? { id: row.authorization_code_id, clientId: row.client_id } : null;
}

// Read without trust: it counts only after the signature was checked.
function grantOfJwt(presented: string): Grant | null {
  try {
    const claims = JSON.parse(Buffer.from(presented.split('.')[1] ?? '', 'base64url').toString('utf8'));
    return { id: String(claims.gid), clientId: String(claims.azp) };
  } catch {
    return null;
  }
}

function basicUser(authorization: string | undefined): string | null {
  const encoded = /^basic +(\S+)$/i.exec(authorization ?? '')?.[1];
  if (encoded === undefined) return null;
  const user = Buffer.from(encoded, 'base64').toString('utf8').split(':', 1)[0] ?? '';
  return decodeURIComponent(user);
}

// The library does not know which grants were revoked.
export const introspect: Handler = async (call, parts) => {
  const presented = textOf(call, 'token') ?? '';
  const response = await parts.pass(call);
  if (response.status !== 200 || !looksLikeJwt(presented)) return response;
  return (await identifyAccessToken(call.ctx, presented)) ? response : Response.json({ active: false });
};

export const userInfo: Handler = async (call, parts) => {
  const bearer = /^bearer +(\S+) *$/i.exec(call.exchange.request.headers.authorization ?? '')?.[1];
  if (bearer && (await identifyAccessToken(call.ctx, bearer))) return parts.pass(call);
  const refused = oauthError('invalid_token', 'the access token is not valid', 401);
  refused.headers.set('WWW-Authenticate', 'Bearer error="invalid_token"');
  return refused;
};

// Fields of a form or of JSON, as a form; values that are no text are left out.
function formOf(call: AuthCall): URLSearchParams {
  if (call.body && 'form' in call.body) return new URLSearchParams(call.body.form);
  const texts = Object.entries(fieldsOf(call)).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  return new URLSearchParams(texts);
}
