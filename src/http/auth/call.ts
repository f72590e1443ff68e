// A request under /api/auth, as its handler checks it and passes it to the sign-in library.
import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { isRecord } from '../../domain/records.ts';
import { refuseNul } from '../kernel/forms.ts';
import type { RequestInfo } from '../kernel/route.ts';

export const AUTH_PATH = '/api/auth';

type AuthFields = Record<string, unknown>;

export interface AuthCall {
  ctx: Context;
  request: RequestInfo;
  method: string;
  // The path below /api/auth.
  path: string;
  query: URLSearchParams;
  // A form may repeat fields; JSON values have types.
  body: { form: URLSearchParams } | { json: AuthFields } | null;
  session: { id: string; userId: string } | null;
}

export function readAuthCall(
  ctx: Context,
  { method, body }: { method: string; body: unknown },
  request: RequestInfo,
): AuthCall {
  const { account, kind } = ctx.caller;
  const call: AuthCall = {
    ctx,
    request,
    method,
    path: request.target.path.slice(AUTH_PATH.length),
    query: new URLSearchParams(request.target.query),
    body: method === 'GET' ? null : bodyOf(request, body),
    session: kind === 'session' && account ? { id: account.id ?? '', userId: account.userId } : null,
  };
  refuseNul([...call.query, ...Object.entries(fieldsOf(call))]);
  // The library reads this field on every route and assumes that it is text.
  const pending = fieldsOf(call).oauth_query ?? '';
  if (typeof pending !== 'string') throw new ApiError('bad_request', 'oauth_query must be text');
  return call;
}

export function bodyOf({ form }: RequestInfo, json: unknown): AuthCall['body'] {
  if (form) return { form };
  if (!isRecord(json) || Array.isArray(json)) throw new ApiError('bad_request', 'the body must be a JSON object');
  return { json };
}

export function fieldsOf({ body }: Pick<AuthCall, 'body'>): AuthFields {
  if (body === null) return {};
  return 'json' in body ? body.json : Object.fromEntries(body.form);
}

export function textOf(call: AuthCall, name: string): string | undefined {
  const value = fieldsOf(call)[name];
  return typeof value === 'string' ? value : undefined;
}

export function withJson(call: AuthCall, json: AuthFields): AuthCall {
  return { ...call, body: { json } };
}

// Only the listed fields are passed to the library.
export function pick(fields: AuthFields, names: readonly string[]): AuthFields {
  return Object.fromEntries(names.filter((name) => fields[name] !== undefined).map((name) => [name, fields[name]]));
}
