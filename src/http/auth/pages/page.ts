// What the pages of sign-in are made of: plain forms that work without script.
import type { Context } from '../../../context.ts';
import { ApiError } from '../../../contract/errors.ts';
import { csrfToken } from '../../kernel/forms.ts';
import { escapeHtml, htmlPage, pageHeaders } from '../../kernel/page.ts';
import { HTML_TYPE, Reply, redirect } from '../../kernel/reply.ts';
import type { RequestFacts, RouteDeclaration } from '../../kernel/route.ts';

export interface PageCall {
  ctx: Context;
  request: RequestFacts;
  // The routes of sign-in.
  routes: readonly RouteDeclaration[];
  stylesheet: string;
  query: URLSearchParams;
  form: URLSearchParams;
  session: { id: string; userId: string } | null;
}

export interface AuthPage {
  method: 'GET' | 'POST';
  path: string;
  title: string;
  show(call: PageCall): Promise<Reply>;
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

export function page({ ctx, stylesheet }: PageCall, parts: PageParts): Reply {
  return drawPage(ctx, { stylesheet, ...parts });
}

export function drawPage(
  { config }: Context,
  { stylesheet, name, title, body, status = 200, formTargets = [] }: PageParts & { stylesheet: string },
): Reply {
  const { siteName } = config;
  const header = `<header class="bar"><a href="/">${escapeHtml(siteName)}</a></header>`;
  const main = `<main class="sheet" data-page="${name}">\n<h1>${escapeHtml(title)}</h1>\n${body}\n</main>`;
  const html = htmlPage({ title: `${title} · ${siteName}`, stylesheet, body: `${header}\n${main}` });
  return new Reply(status, html, {
    'Content-Type': HTML_TYPE,
    'X-Robots-Tag': 'noindex, nofollow',
    ...(formTargets.length > 0 && { 'Content-Security-Policy': policyWith(config, formTargets) }),
  });
}

function policyWith(config: Context['config'], formTargets: readonly string[]): string {
  const policy = pageHeaders(config)['Content-Security-Policy'] ?? '';
  return policy.replace("form-action 'self'", `form-action 'self' ${[...new Set(formTargets)].join(' ')}`);
}

// After a form the browser asks for another page; cookies of the reply before go along.
export function seeOther(location: string, from?: AuthReply): Reply {
  return redirect(location).withCookies(from?.cookies ?? []);
}

interface FormParts {
  action: string;
  // Hidden values.
  values?: Record<string, string>;
  fields: string;
}

export function formHtml(call: PageCall, { action, values = {}, fields }: FormParts): string {
  const hidden = { csrf: csrfToken(call.ctx, action), ...values };
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
  const hintHtml = hint ? `\n<small id="${name}-hint">${escapeHtml(hint)}</small>` : '';
  return `<div class="field"><label for="${name}">${escapeHtml(label)}</label>
<input ${attributes.join(' ')}>${hintHtml}</div>`;
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

// The routes of sign-in speak to programs.
export function sentence(text: string): string {
  const begun = `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
  return /[.!?]$/.test(begun) ? begun : `${begun}.`;
}

// What a route of sign-in answered, as a page reads it.
export interface AuthReply {
  status: number;
  // What it refused with, in words.
  message: string;
  code: string;
  // The field that it was about, where there is one.
  field: string | null;
  fields: Record<string, unknown>;
  cookies: readonly string[];
}

// The same routes as under /api/auth: the same checks and limits.
export function ask(call: PageCall, path: string, json: Record<string, unknown>): Promise<AuthReply> {
  return callRoute(call, routeAt(call, 'POST', path), { body: json });
}

export function askFor(call: PageCall, path: string, query: Record<string, string>): Promise<AuthReply> {
  return callRoute(call, routeAt(call, 'GET', path), { query });
}

function routeAt({ routes }: PageCall, method: string, path: string): RouteDeclaration {
  const found = routes.find((route) => route.method === method && route.path === path);
  if (!found) throw new Error(`no such route of sign-in: ${method} ${path}`);
  return found;
}

async function callRoute(
  { request }: PageCall,
  route: RouteDeclaration,
  input: { body?: unknown; query?: Record<string, string> },
): Promise<AuthReply> {
  try {
    return readReply(await request.call(route, input));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { status, message, code, details } = error;
    return { status, message, code, field: fieldIn(details), fields: {}, cookies: [] };
  }
}

function readReply({ status, body, cookies }: Reply): AuthReply {
  const text = body === null ? '' : String(body);
  const fields = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
  const message = String(fields.message ?? fields.error_description ?? '');
  const code = String(fields.code ?? fields.error ?? '');
  return { status, message, code, field: fieldIn(fields.details), fields, cookies };
}

function fieldIn(details: unknown): string | null {
  return (details as { field?: string } | undefined)?.field ?? null;
}
