// A visit to the operator area: what a page shows and a form changes goes through the routes of the API, for the token
// that opened the session, so that both have the same rights and the same rules.
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { holdsScope } from '../../contract/caller.ts';
import { ApiError, type Issue } from '../../contract/errors.ts';
import { refuseNul } from '../../http/kernel/forms.ts';
import { HTML_TYPE, Reply } from '../../http/kernel/reply.ts';
import {
  type CalledInput,
  type FailureFormat,
  type HttpMethod,
  type RequestFacts,
  type RouteDeclaration,
  route,
} from '../../http/kernel/route.ts';
import { errorSummary } from '../components/form.ts';
import { type Html, html } from '../components/html.ts';
import { noticeBox } from '../components/notice.ts';
import { type Refusal, sentence } from '../forms/refusal.ts';
import { documentHtml } from '../frame/document.ts';
import { bareShell, readShell } from '../frame/read-shell.ts';
import type { Shell } from '../frame/shell.ts';
import { seeOther } from '../visit.ts';

// What the route that opens a session says.
const WRONG_TOKEN = 'this token does not open the operator area';

type Access = 'write' | 'admin';
type Shape = z.ZodRawShape;

// A call of the API by its template: `get('/sources/{src}', { params: { src: id } })`.
export interface OperatorApi {
  // biome-ignore lint/suspicious/noExplicitAny: the shapes of answers are those of the API, which its own tests hold.
  get(path: string, input?: CalledInput): Promise<any>;
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  send(method: Exclude<HttpMethod, 'GET'>, path: string, input?: CalledInput): Promise<any>;
}

export interface OperatorVisit<Q = Record<string, never>> {
  ctx: Context;
  shell: Shell;
  params: Record<string, string>;
  query: Q;
  // What was sent, where a form was refused and is shown again; empty otherwise.
  form: URLSearchParams;
  refusal?: Refusal;
  api: OperatorApi;
  // Whether the session may do what needs `admin`.
  isAdmin: boolean;
}

export interface OperatorPage<Q extends Shape = Shape, D = unknown> {
  path: string;
  title: string;
  access: Access;
  query?: Q;
  load(visit: OperatorVisit<z.output<z.ZodObject<Q>>>): Promise<D>;
  show(data: D, visit: OperatorVisit<z.output<z.ZodObject<Q>>>): Html;
}

export interface OperatorForm {
  path: string;
  summary: string;
  access: Access;
  // Shown again, with what was sent, when the API refuses it. It has the same parameters in its path.
  page: OperatorPage;
  // Changes something and says where to go on; a page that shows a secret is the answer itself.
  run(visit: OperatorVisit): Promise<{ to: string } | { body: Html }>;
}

// Inference helper.
export function operatorPage<Q extends Shape, D>(page: OperatorPage<Q, D>): OperatorPage {
  return page as unknown as OperatorPage;
}

const NAV: readonly { path: string; name: string; access: Access }[] = [
  { path: '/admin', name: 'Overview', access: 'write' },
  { path: '/admin/sources', name: 'Sources', access: 'write' },
  { path: '/admin/fetch-log', name: 'Fetch log', access: 'admin' },
  { path: '/admin/stuck', name: 'Stuck', access: 'admin' },
  { path: '/admin/add', name: 'Add', access: 'admin' },
  { path: '/admin/orgs', name: 'Organizations', access: 'write' },
  { path: '/admin/collections', name: 'Collections', access: 'write' },
  { path: '/admin/notice', name: 'Notice', access: 'admin' },
  { path: '/admin/tokens', name: 'Tokens', access: 'admin' },
  { path: '/admin/webhooks', name: 'Webhooks', access: 'admin' },
  { path: '/admin/audit', name: 'Audit log', access: 'admin' },
];

// By the value of `done` in the address after a form.
const DONE: Readonly<Record<string, string>> = {
  saved: 'Saved.',
  created: 'Created.',
  deleted: 'Deleted.',
  fetched: 'Fetched. The fetch log shows what came of it.',
  queued: 'The fetch goes on in the background. The fetch log will show what came of it.',
  paused: 'Paused. It is not fetched until you resume it.',
  resumed: 'Resumed. It is fetched with the next round.',
  hidden: 'Hidden from the public.',
  shown: 'Visible to the public again.',
  suppressed: 'Suppressed. The public no longer sees it.',
  revoked: 'Revoked, and its sessions are over.',
  replayed: 'Queued for delivery.',
  dismissed: 'Dismissed.',
};

export function servePage(page: OperatorPage, routes: readonly RouteDeclaration[]): RouteDeclaration {
  return route({
    method: 'GET',
    path: page.path,
    summary: `Operator area: ${page.title}`,
    tag: 'Pages',
    access: page.access,
    query: page.query ?? {},
    lenientQuery: Object.keys(page.query ?? {}),
    answers: null,
    cache: 'never',
    failure: operatorFailure,
    html: (answer: string) => answer,
    run: async (ctx, { params, query }, request) => {
      const visit = await visitOf(ctx, { params, query: query as never, request, routes });
      return answer(page, visit, page.show(await page.load(visit), visit));
    },
  });
}

export function serveForm(form: OperatorForm, routes: readonly RouteDeclaration[]): RouteDeclaration {
  return route({
    method: 'POST',
    path: form.path,
    summary: `Operator area: ${form.summary}`,
    tag: 'Pages',
    access: form.access,
    query: null,
    accepts: 'form',
    body: z.unknown(),
    answers: null,
    cache: 'never',
    failure: operatorFailure,
    run: async (ctx, { params }, request) => {
      const visit = await visitOf(ctx, { params, query: {}, request, routes });
      try {
        const outcome = await form.run(visit);
        return 'to' in outcome ? seeOther({ ctx }, outcome.to) : answer(form.page, visit, outcome.body);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status >= 500 || error.status === 401) throw error;
        const again = { ...visit, refusal: refusalOf(error) };
        return answer(form.page, again, form.page.show(await form.page.load(again), again), 422);
      }
    },
  });
}

interface Parts {
  params: Record<string, string>;
  query: Record<string, never>;
  request: RequestFacts;
  routes: readonly RouteDeclaration[];
}

async function visitOf(ctx: Context, { params, query, request, routes }: Parts): Promise<OperatorVisit> {
  const form = request.form ?? new URLSearchParams();
  refuseNul([...form]);
  const shell = await readShell(ctx, request.target);
  return { ctx, shell, params, query, form, api: apiOf(request, routes), isAdmin: holdsScope(ctx.caller, 'admin') };
}

function apiOf(request: RequestFacts, routes: readonly RouteDeclaration[]): OperatorApi {
  const call = async (method: HttpMethod, path: string, input: CalledInput = {}) => {
    const found = routes.find((declared) => declared.method === method && declared.path === path);
    if (!found) throw new Error(`no such route of the API: ${method} ${path}`);
    return (await request.call(found, input)).body;
  };
  return { get: (path, input) => call('GET', path, input), send: call };
}

function refusalOf({ message, details }: ApiError): Refusal {
  const issues = (details as { issues?: Issue[] } | undefined)?.issues ?? [];
  const fields = Object.fromEntries(issues.map((issue) => [issue.path, sentence(issue.reason)]));
  return { status: 422, message: issues.length > 0 ? null : sentence(message), fields };
}

function answer(page: OperatorPage, visit: OperatorVisit, body: Html, status = 200): Reply {
  const { shell, refusal, isAdmin } = visit;
  const said = DONE[shell.query.get('done') ?? ''];
  const links = NAV.filter(({ access }) => isAdmin || access === 'write').map(({ path, name }) => {
    const here = path === '/admin' ? page.path === path : page.path === path || page.path.startsWith(`${path}/`);
    return html`<li><a href="${path}"${here ? html` aria-current="page"` : ''}>${name}</a></li>`;
  });
  const end = html`<form data-form="operator-end" method="post" action="/admin/session/end"><button class="btn quiet small" type="submit">End session</button></form>`;
  const text = documentHtml(shell, {
    name: `admin${page.path
      .slice('/admin'.length)
      .replaceAll(/\/\{\w+\}/g, '-detail')
      .replaceAll('/', '-')}`,
    head: { title: `${page.title} · Operator`, description: `${page.title}.`, robots: 'noindex, nofollow' },
    body: html`<div class="with-nav"><nav class="side-nav" aria-label="Operator"><ul>${links}</ul>${end}</nav><div class="stack">
${said ? html`<div role="status">${noticeBox('info', said)}</div>` : ''}${errorSummary(refusal)}${body}</div></div>`,
  });
  return htmlReply(String(text), status);
}

function htmlReply(text: string, status: number): Reply {
  return new Reply(status, text, { 'Content-Type': HTML_TYPE, 'X-Robots-Tag': 'noindex, nofollow' });
}

// Whoever has no session is asked for a token; whoever has too little of one is told what it takes.
export const operatorFailure: FailureFormat = (error, ctx) => operatorSignIn(ctx, error);

const isWrongToken = ({ message }: ApiError) => message === WRONG_TOKEN;

export function operatorSignIn(ctx: Context, error: ApiError): Reply {
  const shell = bareShell(ctx);
  const refused =
    error.status === 401
      ? isWrongToken(error)
        ? { status: 401, message: 'This token does not open the operator area.', fields: {} }
        : undefined
      : { status: error.status, message: sentence(error.message), fields: {} };
  const body =
    error.status === 403 || error.status >= 500 || error.status === 404
      ? html`<div class="narrow stack"><h1>${error.status === 403 ? 'This needs more rights' : 'That did not work'}</h1><p>${error.status === 403 && error.code === 'insufficient_scope' ? 'The token that opened this session may not do this: it needs the scope admin.' : sentence(error.message)}</p><p><a class="btn" href="/admin">Back to the overview</a></p></div>`
      : html`<div class="narrow stack"><h1>Operator area</h1><p class="muted">Opens with a machine token that may write, or with the root key of this registry.</p>
${errorSummary(refused)}<form class="stack" data-form="operator-session" method="post" action="/admin/session"><div class="field"><label for="token">Token</label><input class="input mono" id="token" name="token" type="password" autocomplete="off" required></div><button class="btn primary wide" type="submit">Open</button></form></div>`;
  const text = documentHtml(shell, {
    name: error.status === 401 ? 'admin-session' : 'admin-error',
    head: { title: 'Operator area', description: 'Operator area.', robots: 'noindex, nofollow' },
    body,
  });
  return htmlReply(String(text), error.status);
}
