// What the pages of sign-in are made of: plain forms that work without script.
import { type FormOf, formToken, isFormToken } from '../../../accounts/auth/form-token.ts';
import type { LiveSession } from '../../../accounts/auth/sessions.ts';
import type { Context } from '../../../context.ts';
import { ApiError } from '../../../contract/errors.ts';
import type { Exchange } from '../../kernel/exchange.ts';
import { escapeHtml, htmlPage, pageHeaders } from '../../kernel/html.ts';
import { requireTrustedOrigin } from '../../kernel/origin.ts';
import type { AuthDoor } from '../door.ts';

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

interface PageParts {
  // By which tests know the page.
  name: string;
  title: string;
  body: string;
  status?: number;
  // Where a form of this page may lead besides the service itself.
  formTargets?: readonly string[];
}

export function page(
  { ctx, stylesheet }: PageCall,
  { name, title, body, status = 200, formTargets = [] }: PageParts,
): Response {
  const { siteName } = ctx.config;
  const header = `<header class="bar"><a href="/">${escapeHtml(siteName)}</a></header>`;
  const main = `<main class="sheet" data-page="${name}">\n<h1>${escapeHtml(title)}</h1>\n${body}\n</main>`;
  const html = htmlPage({ title: `${title} · ${siteName}`, stylesheet, body: `${header}\n${main}` });
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

interface FormParts {
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
  const name = action.slice(1).replaceAll('/', '-');
  return `<form method="post" action="${action}" data-form="${name}">\n${inputs.join('\n')}\n${fields}\n</form>`;
}

interface FieldParts {
  name: string;
  label: string;
  type?: string;
  value?: string;
  autocomplete?: string;
  hint?: string;
  // What the page complains of has to do with this field.
  faulty?: boolean;
  // Further attributes of the input.
  more?: string;
}

export function fieldHtml(field: FieldParts): string {
  const { name, label, type = 'text', value = '', autocomplete = 'off', hint, faulty = false, more = '' } = field;
  const about = [faulty ? FAULT_ID : '', hint ? `${name}-hint` : ''].filter((id) => id !== '').join(' ');
  const attributes = [
    `id="${name}" name="${name}" type="${type}" value="${escapeHtml(value)}" autocomplete="${autocomplete}" required`,
    ...(faulty ? ['aria-invalid="true"'] : []),
    ...(about ? [`aria-describedby="${about}"`] : []),
    ...(more ? [more] : []),
  ];
  const said = hint ? `\n<small id="${name}-hint">${escapeHtml(hint)}</small>` : '';
  return `<div class="field"><label for="${name}">${escapeHtml(label)}</label>
<input ${attributes.join(' ')}>${said}</div>`;
}

export const NEW_PASSWORD: Omit<FieldParts, 'label'> = {
  name: 'password',
  type: 'password',
  autocomplete: 'new-password',
  hint: 'At least 10 characters. A few words that only you would put together are fine.',
};

interface ButtonParts {
  label: string;
  name?: string;
  value?: string;
  // One on a page stands out.
  main?: boolean;
}

export function buttonHtml({ label, name, value = '', main = false }: ButtonParts): string {
  const chosen = name ? ` name="${name}" value="${value}"` : '';
  return `<button type="submit"${main ? ' class="main"' : ''}${chosen}>${escapeHtml(label)}</button>`;
}

export const TOO_MANY = 'Too many attempts. Please wait a while.';
const FAULT_ID = 'fault';

// The first thing that a reader of the page comes to, whether by eye, ear or keyboard.
export function faultHtml(fault: string | undefined): string {
  if (!fault) return '';
  return `<p id="${FAULT_ID}" class="fault" role="alert" tabindex="-1" autofocus>${escapeHtml(sentence(fault))}</p>`;
}

// The door speaks to programs.
export function sentence(text: string): string {
  const begun = `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
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
  // The field that it was about, where there is one.
  field: string | null;
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
  const code = String(fields.code ?? fields.error ?? '');
  const field = (fields.details as { field?: string } | undefined)?.field ?? null;
  return { status: response.status, message, code, field, fields, response };
}
