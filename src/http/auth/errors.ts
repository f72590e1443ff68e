// Errors under /api/auth: the form of the OAuth standards where those rule, else code and message.
import type { ApiError } from '../../contract/errors.ts';

export type ErrorForm = 'plain' | 'oauth';

export function errorResponse(error: ApiError, form: ErrorForm): Response {
  const { code, message, details, status } = error;
  const body =
    form === 'oauth'
      ? { error: code, error_description: message }
      : { code, message, ...(details === undefined ? {} : { details }) };
  return Response.json(body, { status, headers: error.headers });
}

export function oauthError(error: string, description: string, status = 400): Response {
  return Response.json({ error, error_description: description }, { status });
}

// What the library says in another form than the route's own.
export async function inForm(response: Response, form: ErrorForm): Promise<Response> {
  if (response.status < 400) return response;
  const text = await response.text();
  const said = parsed(text);
  const message = String(said.error_description ?? said.message ?? 'the request could not be answered');
  const code = String(said.error ?? said.code ?? nameOf(response.status));
  const body = form === 'oauth' ? { error: code.toLowerCase(), error_description: message } : { code, message };
  const headers = new Headers(response.headers);
  headers.set('Content-Type', 'application/json');
  return new Response(JSON.stringify(body), { status: response.status, headers });
}

function nameOf(status: number): string {
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  if (status === 404) return 'not_found';
  return status >= 500 ? 'internal_error' : 'bad_request';
}

function parsed(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
