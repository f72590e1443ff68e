// Sessions as their owner sees them: known by id, never by the token that opens them.
import { sessionCookieName } from '../../accounts/auth/session-cookie.ts';
import { type Context, queries } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { type AuthCall, textOf, withJson } from './call.ts';
import type { AuthRoute } from './door.ts';

type Handler = AuthRoute['handle'];

export const showSession: Handler = async (call, parts) => withoutTokens(await parts.pass(call));

// Takes the id of a session, which is what the list shows.
export const revokeSession: Handler = async (call, parts) => {
  const token = await tokenOf(call, textOf(call, 'id') ?? '');
  return parts.pass(withJson(call, { token }));
};

async function tokenOf({ ctx, session }: AuthCall, id: string): Promise<string> {
  const row = await queries(ctx)
    .selectFrom('sessions')
    .select('token')
    .where('id', '=', id)
    .where('user_id', '=', session?.userId ?? '')
    .executeTakeFirst();
  if (!row) throw new ApiError('not_found', 'no such session');
  return row.token;
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
