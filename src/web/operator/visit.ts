// A request for a page or form of the operator area. It reads and writes through the routes of the API with the token
// that opened the session, so that the rights and rules of the API apply.
import type { z } from 'zod';
import type { Context } from '../../context.ts';
import { holdsScope } from '../../contract/caller.ts';
import { refuseNul } from '../../http/kernel/forms.ts';
import type { CalledInput, HttpMethod, RequestInfo, RouteDeclaration } from '../../http/kernel/route.ts';
import type { Html } from '../components/html.ts';
import type { Refusal } from '../forms/refusal.ts';
import { readShell } from '../frame/read-shell.ts';
import type { Shell } from '../frame/shell.ts';

export type OperatorAccess = 'write' | 'admin';
type OperatorQuery = z.ZodRawShape;

// A call of the API by its template: `get('/sources/{src}', { params: { src: id } })`.
export interface OperatorApi {
  get<T>(path: string, input?: CalledInput): Promise<T>;
  send<T = unknown>(method: Exclude<HttpMethod, 'GET'>, path: string, input?: CalledInput): Promise<T>;
}

export interface OperatorVisit<Q = Record<string, never>> {
  ctx: Context;
  shell: Shell;
  params: Record<string, string>;
  query: Q;
  // The fields of a refused form that is shown again; otherwise empty.
  form: URLSearchParams;
  refusal?: Refusal;
  api: OperatorApi;
  // Whether the session has the scope `admin`.
  isAdmin: boolean;
}

export interface OperatorPage<Q extends OperatorQuery = OperatorQuery, D = unknown> {
  path: string;
  title: string;
  access: OperatorAccess;
  query?: Q;
  load(visit: OperatorVisit<z.output<z.ZodObject<Q>>>): Promise<D>;
  show(data: D, visit: OperatorVisit<z.output<z.ZodObject<Q>>>): Html;
}

export interface OperatorForm {
  path: string;
  summary: string;
  access: OperatorAccess;
  // The page is shown again with the sent fields when the API refuses them. It has the same path parameters.
  page: OperatorPage;
  // Makes the change and returns the page to redirect to, or the content of a page that shows a secret.
  run(visit: OperatorVisit): Promise<{ to: string } | { body: Html }>;
}

export function operatorPage<Q extends OperatorQuery, D>(page: OperatorPage<Q, D>): OperatorPage {
  return page as unknown as OperatorPage;
}

interface VisitParts {
  params: Record<string, string>;
  query: Record<string, never>;
  request: RequestInfo;
  routes: readonly RouteDeclaration[];
  // The names of the page's parameters.
  known?: readonly string[];
}

export async function visitOf(
  ctx: Context,
  { params, query, request, routes, known = [] }: VisitParts,
): Promise<OperatorVisit> {
  const form = request.form ?? new URLSearchParams();
  refuseNul([...form]);
  const shell = await readShell(ctx, request, [...known, 'done']);
  return { ctx, shell, params, query, form, api: apiOf(request, routes), isAdmin: holdsScope(ctx.caller, 'admin') };
}

function apiOf(request: RequestInfo, routes: readonly RouteDeclaration[]): OperatorApi {
  const call = async <T>(method: HttpMethod, path: string, input: CalledInput = {}): Promise<T> => {
    const found = routes.find((declared) => declared.method === method && declared.path === path);
    if (!found) throw new Error(`no such route of the API: ${method} ${path}`);
    // The tests of each route check that its response matches the contract.
    return (await request.call(found, input)).body as T;
  };
  return { get: (path, input) => call('GET', path, input), send: call };
}
