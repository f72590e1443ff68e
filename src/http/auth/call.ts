// A request under /api/auth, read once: what the door in front of the sign-in library decides on, and passes on.
import { readSessionCookie } from '../../accounts/auth/session-cookie.ts';
import { findSession, type LiveSession } from '../../accounts/auth/sessions.ts';
import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { DEFAULT_BODY_LIMIT, parseJson, readBody } from '../kernel/body.ts';
import type { Exchange } from '../kernel/exchange.ts';

export const AUTH_PATH = '/api/auth';

type Fields = Record<string, unknown>;

export interface AuthCall {
  ctx: Context;
  exchange: Exchange;
  method: string;
  // Below /api/auth.
  path: string;
  query: URLSearchParams;
  // A form keeps repeated fields; JSON keeps types.
  body: { form: URLSearchParams } | { json: Fields } | null;
  session: LiveSession | null;
  // The session came by cookie, not as a Bearer value.
  byCookie: boolean;
  // Asked by a page of ours, which wants to read the answer rather than be sent elsewhere.
  fromPage?: boolean;
}

export async function readAuthCall(ctx: Context, exchange: Exchange): Promise<AuthCall> {
  const { request, target } = exchange;
  const method = request.method === 'HEAD' ? 'GET' : (request.method ?? 'GET');
  const call: AuthCall = {
    ctx,
    exchange,
    method,
    path: target.path.slice(AUTH_PATH.length),
    query: new URLSearchParams(target.query),
    body: method === 'GET' ? null : await readAuthBody(exchange),
    session: null,
    byCookie: false,
  };
  requireStorable(call);
  // The library reads this one on every route, and takes it for text.
  const pending = fieldsOf(call).oauth_query ?? '';
  if (typeof pending !== 'string') throw new ApiError('bad_request', 'oauth_query must be text');
  return call;
}

// No name, address, code or token holds a NUL, and not every database could be asked for one. Passwords may be anything.
function requireStorable(call: AuthCall): void {
  const fields = [...call.query, ...Object.entries(fieldsOf(call))];
  const odd = fields.find(([name, value]) => name.includes('\0') || (!/password/i.test(name) && holdsNul(value)));
  if (odd) throw new ApiError('bad_request', 'a NUL character stands where none can be');
}

function holdsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  return typeof value === 'object' && value !== null && Object.entries(value).flat().some(holdsNul);
}

async function readAuthBody({ request }: Exchange): Promise<AuthCall['body']> {
  const bytes = await readBody(request, DEFAULT_BODY_LIMIT);
  const type = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type === 'application/x-www-form-urlencoded') return { form: new URLSearchParams(bytes.toString('utf8')) };
  const json = parseJson(bytes, request.headers);
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new ApiError('bad_request', 'the body must be a JSON object');
  }
  return { json: json as Fields };
}

const BEARER = /^bearer +(\S+) *$/i;

// The session of the caller: by cookie, else as a Bearer value.
export async function withSession(call: AuthCall): Promise<AuthCall> {
  const { cookie, authorization = '' } = call.exchange.request.headers;
  const token = cookie === undefined ? null : readSessionCookie(call.ctx, cookie);
  const byCookie = token === null ? null : await findSession(call.ctx, token);
  if (byCookie) return { ...call, session: byCookie, byCookie: true };
  const bearer = BEARER.exec(authorization)?.[1];
  return { ...call, session: bearer ? await findSession(call.ctx, bearer) : null, byCookie: false };
}

export function fieldsOf({ body }: AuthCall): Fields {
  if (body === null) return {};
  return 'json' in body ? body.json : Object.fromEntries(body.form);
}

export function textOf(call: AuthCall, name: string): string | undefined {
  const value = fieldsOf(call)[name];
  return typeof value === 'string' ? value : undefined;
}

export function withJson(call: AuthCall, json: Fields): AuthCall {
  return { ...call, body: { json } };
}

// Only what is named goes on to the library.
export function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]));
}
