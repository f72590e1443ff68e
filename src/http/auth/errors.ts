// Errors under /api/auth: OAuth endpoints use the format of the standard, the others code and message.
import { isRecord } from '../../domain/records.ts';
import { Reply } from '../kernel/reply.ts';
import type { FailureFormat } from '../kernel/route.ts';

export type ErrorFormat = 'plain' | 'oauth';

export function failureFormat(format: ErrorFormat): FailureFormat {
  return ({ code, message, details, status }) => {
    const body =
      format === 'oauth'
        ? { error: code, error_description: message }
        : { code, message, ...(details === undefined ? {} : { details }) };
    return new Reply(status, JSON.stringify(body), { 'Content-Type': 'application/json' });
  };
}

export function oauthError(error: string, description: string, status = 400): Response {
  return Response.json({ error, error_description: description }, { status });
}

// Rewrites an error of the library in the format of the route.
export async function inFormat(response: Response, format: ErrorFormat): Promise<Response> {
  if (response.status < 400) return response;
  const text = await response.text();
  const refusal = parsed(text);
  const message = String(refusal.error_description ?? refusal.message ?? 'the request could not be answered');
  const code = String(refusal.error ?? refusal.code ?? nameOf(response.status));
  const body = format === 'oauth' ? { error: code.toLowerCase(), error_description: message } : { code, message };
  const headers = new Headers(response.headers);
  headers.set('Content-Type', 'application/json');
  return new Response(JSON.stringify(body), { status: response.status, headers });
}

// Reads a clone, so that the body of the response can still be read.
export async function fieldsIn(response: Response): Promise<Record<string, unknown>> {
  return parsed(await response.clone().text());
}

function nameOf(status: number): string {
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'not_found';
  return status >= 500 ? 'internal_error' : 'bad_request';
}

// The fields of a JSON object; empty when the text is anything else.
function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}
