// What the pages of sign-in are made of: plain forms that work without script.
import { type FormOf, formToken, isFormToken } from '../accounts/auth/form-token.ts';
import type { LiveSession } from '../accounts/auth/sessions.ts';
import type { Context } from '../context.ts';
import { ApiError } from '../contract/errors.ts';
import type { AuthDoor } from './auth-door.ts';
import { requireTrustedOrigin } from './auth-origin.ts';
import type { Exchange } from './exchange.ts';
import { escapeHtml, htmlPage, pageHeaders } from './html.ts';

export interface PageCall {
  ctx: Context;
  exchange: Exchange;
  door: AuthDoor;
  stylesheet: string;
  query: URLSearchParams;
  form: URLSearchParams;
  session: LiveSession | null;
}

export interface AuthPage {
  method: 'GET' | 'POST';
  path: string;
  show(call: PageCall): Promise<Response>;
}

export interface PageParts {
  title: string;
  body: string;
  status?: number;
  // Where a form of this page may lead besides the service itself.
  formTargets?: readonly string[];
}

export function page(
  { ctx, stylesheet }: PageCall,
  { title, body, status = 200, formTargets = [] }: PageParts,
): Response {
  const { siteName } = ctx.config;
  const main = `<main class="home">\n<h1>${escapeHtml(title)}</h1>\n${body}\n</main>`;
  const html = htmlPage({ title: `${title} · ${siteName}`, stylesheet, body: main });
  const headers = new Headers(pageHeaders(ctx.config));
  headers.set('X-Robots-Tag', 'noindex, nofollow');
  if (formTargets.length > 0) {
    const policy = headers.get('Content-Security-Policy') ?? '';
    const targets = `form-action 'self' ${[...new Set(formTargets)].join(' ')}`;
    headers.set('Content-Security-Policy', policy.replace("form-action 'self'", targets));
  }
  return new Response(html, { status, headers });
}

// After a form the browser asks for another page; cookies of the answer before go along.
export function seeOther(location: string, from?: Response): Response {
  const headers = new Headers({ Location: location });
  for (const cookie of from?.headers.getSetCookie() ?? []) headers.append('Set-Cookie', cookie);
  return new Response(null, { status: 303, headers });
}

export interface FormParts {
  action: string;
  // Hidden values.
  values?: Record<string, string>;
  fields: string;
}

export function formHtml(call: PageCall, { action, values = {}, fields }: FormParts): string {
  const hidden = { csrf: formToken(call.ctx, formOf(call, action)), ...values };
  const inputs = Object.entries(hidden).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
  );
  return `<form method="post" action="${action}">\n${inputs.join('\n')}\n${fields}\n</form>`;
}

export interface FieldParts {
  name: string;
  label: string;
  type?: string;
  value?: string;
  autocomplete?: string;
}

export function fieldHtml({ name, label, type = 'text', value = '', autocomplete = 'off' }: FieldParts): string {
  return `<p><label for="${name}">${escapeHtml(label)}</label><br>
<input id="${name}" name="${name}" type="${type}" value="${escapeHtml(value)}" autocomplete="${autocomplete}" required></p>`;
}

export function buttonHtml(label: string, name?: string, value?: string): string {
  const chosen = name ? ` name="${name}" value="${value ?? ''}"` : '';
  return `<button type="submit"${chosen}>${escapeHtml(label)}</button>`;
}

export function faultHtml(fault: string | undefined): string {
  return fault ? `<p role="alert"><strong>${escapeHtml(fault)}</strong></p>` : '';
}

// A form counts only when it was sent from a page of ours and drawn for this session.
export function requireOwnForm(call: PageCall, action: string): void {
  requireTrustedOrigin(call.ctx.config, call.exchange.request.headers);
  if (isFormToken(call.ctx, formOf(call, action), call.form.get('csrf') ?? '')) return;
  throw new ApiError('forbidden', 'the form is too old or was not drawn here; load the page again', { reason: 'csrf' });
}

function formOf({ session }: PageCall, form: string): FormOf {
  return { sessionId: session?.id ?? '', form };
}

export interface Said {
  status: number;
  // What the door refused with, in words.
  message: string;
  code: string;
  fields: Record<string, unknown>;
  response: Response;
}

// The same door as under /api/auth: the same checks and limits.
export async function ask(call: PageCall, path: string, json: Record<string, unknown>): Promise<Said> {
  return said(await call.door.answer(internalCall(call, 'POST', path, new URLSearchParams(), json)));
}

export async function askFor(call: PageCall, path: string, query: Record<string, string>): Promise<Said> {
  return said(await call.door.answer(internalCall(call, 'GET', path, new URLSearchParams(query), null)));
}

function internalCall(
  { ctx, exchange }: PageCall,
  method: string,
  path: string,
  query: URLSearchParams,
  json: Record<string, unknown> | null,
) {
  const body = json === null ? null : { json };
  return { ctx, exchange, method, path, query, body, session: null, byCookie: false, fromPage: true };
}

async function said(response: Response): Promise<Said> {
  const text = await response.clone().text();
  const fields = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
  const message = String(fields.message ?? fields.error_description ?? '');
  return { status: response.status, message, code: String(fields.code ?? fields.error ?? ''), fields, response };
}
