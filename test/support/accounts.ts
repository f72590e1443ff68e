// Accounts that signed up over HTTP, with a session and, on request, keys and access tokens.
import { createHash, randomBytes } from 'node:crypto';
import { type Answer, type Client, createClient } from './client.ts';
import type { Service } from './service.ts';

export const PASSWORD = 'correct horse battery';
export const REDIRECT_URI = 'http://127.0.0.1:4711/callback';

export interface Account {
  id: string;
  email: string;
  // The Cookie header of the session, and its token as a bearer token.
  cookieHeader: string;
  sessionToken: string;
  // Clients with each credential of the account. The cookie client sends the origin of the service's own pages.
  cookie: Client;
  session: Client;
  key(name?: string): Promise<{ value: string; id: string; client: Client }>;
  oauth(scope?: string): Promise<OAuthAccess>;
}

export interface OAuthAccess {
  app: App;
  accessToken: string;
  refreshToken: string | undefined;
  client: Client;
}

export interface App {
  clientId: string;
  clientSecret: string | undefined;
}

let made = 0;

export async function signUp(service: Service, more: { email?: string; name?: string } = {}): Promise<Account> {
  made += 1;
  const email = more.email ?? `person-${made}@mail.example`;
  const body = { name: more.name ?? `Person ${made}`, email, password: PASSWORD };
  const answer = await service.anonymous.post('/api/auth/sign-up/email', body);
  if (answer.status !== 200) throw new Error(`sign-up: ${answer.status} ${answer.text}`);
  return accountOf(service, answer, email);
}

export async function signIn(service: Service, email: string, password = PASSWORD): Promise<Account> {
  const answer = await service.anonymous.post('/api/auth/sign-in/email', { email, password });
  if (answer.status !== 200) throw new Error(`sign-in: ${answer.status} ${answer.text}`);
  return accountOf(service, answer, email);
}

function accountOf(service: Service, { body, headers }: Answer, email: string): Account {
  const cookieHeader = cookiesOf(headers);
  const cookie = createClient(service.url, { Cookie: cookieHeader, Origin: service.origin });
  return {
    id: body.user.id,
    email,
    cookieHeader,
    sessionToken: body.token,
    cookie,
    session: service.as(body.token),
    async key(name = 'a key') {
      const answer = await cookie.post('/v1/me/api-keys', { name });
      if (answer.status !== 201) throw new Error(`key: ${answer.status} ${answer.text}`);
      return { value: answer.body.key, id: answer.body.id, client: service.as(answer.body.key) };
    },
    async oauth(scope = 'openid read') {
      const app = await registerApp(service);
      const request = authorizationRequest(app.clientId, { scope });
      const { code } = await grantAccess(cookie, request.query);
      const answer = await exchangeCode(service, app, { code, verifier: request.verifier });
      if (answer.status !== 200) throw new Error(`token: ${answer.status} ${answer.text}`);
      const { access_token: accessToken, refresh_token: refreshToken } = answer.body;
      return { app, accessToken, refreshToken, client: service.as(accessToken) };
    },
  };
}

export function cookiesOf(headers: Headers): string {
  return headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
}

export async function registerApp(service: Service, more: Record<string, unknown> = {}): Promise<App> {
  const metadata = {
    client_name: 'An app',
    redirect_uris: [REDIRECT_URI],
    token_endpoint_auth_method: 'none',
    ...more,
  };
  const answer = await service.anonymous.post('/api/auth/oauth2/register', metadata);
  if (answer.status !== 201) throw new Error(`registration: ${answer.status} ${answer.text}`);
  return { clientId: answer.body.client_id, clientSecret: answer.body.client_secret };
}

interface AuthorizationRequest {
  query: URLSearchParams;
  verifier: string;
}

export function authorizationRequest(clientId: string, more: Record<string, string> = {}): AuthorizationRequest {
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: REDIRECT_URI,
    state: 'the-state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...more,
  });
  return { query, verifier };
}

// Walks through the consent of the account's owner, from the link of the app to its redirect.
export async function grantAccess(cookie: Client, query: URLSearchParams): Promise<{ code: string; back: URL }> {
  const requested = await cookie.get(`/api/auth/oauth2/authorize?${query}`, { Accept: 'text/html' });
  const consent = new URL(requested.headers.get('location') ?? 'none:');
  if (consent.searchParams.has('code')) return { code: consent.searchParams.get('code') ?? '', back: consent };
  const granted = await cookie.post('/api/auth/oauth2/consent', { accept: true, oauth_query: consent.search.slice(1) });
  if (granted.status !== 200) throw new Error(`consent: ${granted.status} ${granted.text}; asked: ${requested.text}`);
  const back = new URL(granted.body.url);
  return { code: back.searchParams.get('code') ?? '', back };
}

export function tokenRequest(service: Service, fields: Record<string, string>): Promise<Answer> {
  const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
  return service.anonymous.post('/api/auth/oauth2/token', new URLSearchParams(fields).toString(), type);
}

export function exchangeCode(
  service: Service,
  { clientId, clientSecret }: App,
  { code, verifier, ...more }: { code: string; verifier: string } & Record<string, string>,
): Promise<Answer> {
  return tokenRequest(service, {
    grant_type: 'authorization_code',
    code,
    code_verifier: verifier,
    redirect_uri: REDIRECT_URI,
    client_id: clientId,
    ...(clientSecret ? { client_secret: clientSecret } : {}),
    ...more,
  });
}
