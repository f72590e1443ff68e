// Calls the sign-in routes on behalf of the reader of a page, with the same checks and limits as under /api/auth.
import { ApiError } from '../../contract/errors.ts';
import { isRecord } from '../../domain/records.ts';
import type { Reply } from '../../http/kernel/reply.ts';
import type { RouteDeclaration } from '../../http/kernel/route.ts';
import type { Visit } from '../visit.ts';

export interface AuthReply {
  status: number;
  // The reason of a refusal, in words.
  message: string;
  code: string;
  // The field that the refusal is about, if any.
  field: string | null;
  // After too many attempts: how long to wait.
  retrySeconds: number | null;
  body: unknown;
  fields: Record<string, unknown>;
  cookies: readonly string[];
}

export interface AuthClient {
  post(visit: Visit, path: string, json: Record<string, unknown>): Promise<AuthReply>;
  get(visit: Visit, path: string, query?: Record<string, string>): Promise<AuthReply>;
}

export function authClient(routes: readonly RouteDeclaration[]): AuthClient {
  const call = async (
    { request }: Visit,
    method: string,
    path: string,
    input: { body?: unknown; query?: Record<string, string> },
  ): Promise<AuthReply> => {
    const found = routes.find((route) => route.method === method && route.path === path);
    if (!found) throw new Error(`no such route of sign-in: ${method} ${path}`);
    try {
      return readReply(await request.call(found, input));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { status, message, code, details, headers } = error;
      const retrySeconds = Number(headers['Retry-After'] ?? Number.NaN) || null;
      return { status, message, code, field: fieldIn(details), retrySeconds, body: null, fields: {}, cookies: [] };
    }
  };
  return {
    post: (visit, path, json) => call(visit, 'POST', path, { body: json }),
    get: (visit, path, query = {}) => call(visit, 'GET', path, { query }),
  };
}

function readReply({ status, body, cookies }: Reply): AuthReply {
  const text = body === null ? '' : String(body);
  const read: unknown = /^[[{]/.test(text) ? JSON.parse(text) : null;
  const fields = isRecord(read) && !Array.isArray(read) ? read : {};
  const message = String(fields.message ?? fields.error_description ?? '');
  const code = String(fields.code ?? fields.error ?? '');
  return { status, message, code, field: fieldIn(fields.details), retrySeconds: null, body: read, fields, cookies };
}

function fieldIn(details: unknown): string | null {
  return isRecord(details) && typeof details.field === 'string' ? details.field : null;
}
