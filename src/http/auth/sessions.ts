// The sessions of an account, identified by id: their owner never sees the tokens.
import { sessionCookieName } from '../../accounts/auth/session-cookie.ts';
import { handleOf } from '../../accounts/auth/stored-secrets.ts';
import { type Context, queries } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { type AuthCall, textOf, withJson } from './call.ts';
import type { AuthHandler } from './route.ts';

export const showSession: AuthHandler = async (call, parts) => withoutTokens(await parts.pass(call));

// The client sends the id that the list shows, not the token.
export const revokeSession: AuthHandler = async (call, parts) => {
  const [row] = await ownSessions(call)
    .where('id', '=', textOf(call, 'id') ?? '')
    .execute();
  if (!row) throw new ApiError('not_found', 'no such session');
  return parts.pass(withJson(call, { token: handleOf(row.token) }));
};

// The library compares tokens, and this service passes it only the caller's own, so the sessions are ended here.
export const revokeOtherSessions: AuthHandler = async (call, parts) => {
  const rows = await ownSessions(call)
    .where('id', '!=', call.session?.id ?? '')
    .execute();
  for (const { token } of rows) {
    const ended = await parts.pass({ ...withJson(call, { token: handleOf(token) }), path: '/revoke-session' });
    if (ended.status !== 200) return ended;
  }
  return Response.json({ status: true });
};

function ownSessions({ ctx, session }: AuthCall) {
  return queries(ctx)
    .selectFrom('sessions')
    .select('token')
    .where('user_id', '=', session?.userId ?? '');
}

export async function withoutTokens(response: Response): Promise<Response> {
  if (response.status !== 200) return response;
  const body: unknown = JSON.parse((await response.text()) || 'null');
  const headers = new Headers(response.headers);
  return new Response(JSON.stringify(stripped(body)), { status: 200, headers });
}

function stripped(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(stripped);
  if (typeof value !== 'object' || value === null) return value;
  const { token: _, ...rest } = value as Record<string, unknown>;
  return 'session' in rest ? { ...rest, session: stripped(rest.session) } : rest;
}

export function endedSession({ config }: Context, body: unknown): Response {
  const domain = config.cookieDomain ? `; Domain=${config.cookieDomain}` : '';
  const secure = config.baseUrl.startsWith('https:') ? '; Secure' : '';
  const cookie = `${sessionCookieName(config)}=; Max-Age=0${domain}; Path=/; HttpOnly${secure}; SameSite=Lax`;
  return Response.json(body, { headers: { 'Set-Cookie': cookie } });
}
