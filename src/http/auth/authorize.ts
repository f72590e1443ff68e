// The authorization endpoint, and the parameters that an app must send to it.
import { issuerOf, resourcesOf } from '../../accounts/auth/access-token.ts';
import { findClient, redirectUrisOf, scopesOf } from '../../accounts/auth/clients.ts';
import { isRegistered } from '../../accounts/auth/redirect-uri.ts';
import { defaultScopeOf, unknownScopes } from '../../accounts/auth/scopes.ts';
import type { Config } from '../../config.ts';
import { oauthError } from './errors.ts';
import { resourcesIn } from './oauth.ts';
import type { AuthHandler } from './route.ts';

const ASKED = ['response_type', 'client_id', 'redirect_uri', 'state', 'code_challenge', 'nonce', 'max_age'] as const;
const PROMPTS = ['none', 'login', 'consent', 'create'];
const CHALLENGE = /^[\w-]{43}$/;

interface AuthorizeRefusal {
  error: string;
  description: string;
}

// An error is answered by redirect only after the client and its redirect URI are known to be valid: otherwise the
// service would be an open redirector.
export const authorize: AuthHandler = async (call, parts) => {
  const { ctx, query } = call;
  const client = await findClient(ctx, query.get('client_id') ?? '');
  if (!client || client.disabled === 1) return oauthError('invalid_client', 'there is no such app');
  const redirectUri = query.get('redirect_uri') ?? '';
  if (!isRegistered(redirectUri, redirectUrisOf(client))) {
    return oauthError('invalid_request', 'redirect_uri is not one that the app has registered');
  }
  const allowed = scopesOf(client);
  const refusal = authorizeRefusal(ctx.config, query, allowed);
  if (refusal)
    return redirect(withAnswer(redirectUri, { ...toParams(refusal), ...stateOf(query), iss: issuerOf(ctx.config) }));
  return withOwnIssuer(ctx.config, await parts.pass({ ...call, query: authorizeQuery(ctx.config, query, allowed) }));
};

function authorizeRefusal(config: Config, query: URLSearchParams, allowed: readonly string[]): AuthorizeRefusal | null {
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
  const refused = unknownScopes(query.get('scope') ?? '', allowed);
  if (refused.length > 0) {
    return { error: 'invalid_scope', description: `this app may not ask for ${refused.join(', ')}` };
  }
  const resources = resourcesIn(query);
  const foreign = resources.find((resource) => !resourcesOf(config).includes(resource));
  return foreign === undefined ? null : { error: 'invalid_target', description: 'resource is not served here' };
}

function invalid(description: string): AuthorizeRefusal {
  return { error: 'invalid_request', description };
}

// The library issues a signed token only for a resource, and a token without a scope is useless, so both have defaults.
function authorizeQuery(config: Config, query: URLSearchParams, allowed: readonly string[]): URLSearchParams {
  const passed = new URLSearchParams();
  for (const name of ASKED) if (query.has(name)) passed.set(name, query.get(name) ?? '');
  passed.set('code_challenge_method', 'S256');
  passed.set('scope', query.get('scope')?.trim() || defaultScopeOf(allowed));
  const prompts = (query.get('prompt') ?? '').split(' ').filter((prompt) => PROMPTS.includes(prompt));
  if (prompts.length > 0) passed.set('prompt', prompts.join(' '));
  const resources = resourcesIn(query);
  for (const resource of resources.length > 0 ? resources : [config.baseUrl]) passed.append('resource', resource);
  return passed;
}

function stateOf(query: URLSearchParams): Record<string, string> {
  const state = query.get('state');
  return state ? { state } : {};
}

function toParams({ error, description }: AuthorizeRefusal): Record<string, string> {
  return { error, error_description: description };
}

function withAnswer(uri: string, params: Record<string, string>): string {
  return `${uri}${uri.includes('?') ? '&' : '?'}${new URLSearchParams(params)}`;
}

function redirect(location: string): Response {
  return new Response(null, { status: 302, headers: { Location: location } });
}

// The library changes the issuer of an http service to https unless the host is loopback.
function withOwnIssuer(config: Config, response: Response): Response {
  const location = response.headers.get('location');
  if (location === null || !location.includes('iss=')) return response;
  const assumed = issuerOf(config).replace(/^http:/, 'https:');
  const spelled = (issuer: string) => `iss=${encodeURIComponent(issuer)}`;
  const headers = new Headers(response.headers);
  headers.set('location', location.replace(spelled(assumed), spelled(issuerOf(config))));
  return new Response(null, { status: response.status, headers });
}
