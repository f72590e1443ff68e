// Turns a request into its answer: runs the matching route, or answers 404, 405 and OPTIONS.
import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { hasControlCharacter } from '../../domain/clean-text.ts';
import { negotiate } from '../../domain/content-negotiation.ts';
import { type Execution, limitUnmatched } from './admit.ts';
import { type Answer, createAnswer } from './answer.ts';
import { ClientGone } from './body.ts';
import { DEFAULT_VARY } from './compile.ts';
import { identifyCaller } from './credentials.ts';
import type { HttpExchange } from './exchange.ts';
import { failureAnswer, toApiError } from './failure.ts';
import { preflightHeaders } from './headers.ts';
import type { Kernel } from './kernel.ts';
import { executeRead } from './read.ts';
import type { FailureFormat } from './route.ts';
import { namesForm, type RouteMatch, type Router } from './router.ts';
import { sendAnswer } from './send.ts';
import { decodedPath, tidiedPath } from './target.ts';
import { executeWrite } from './write.ts';

export async function dispatch(kernel: Kernel, router: Router, exchange: HttpExchange): Promise<void> {
  const { request, response, target } = exchange;
  const match = router.match(request.method ?? '', target.path);
  if (match) exchange.route = match.route.template;
  let answer: Answer;
  try {
    if (hasControlCharacter(decodedPath(target.path))) throw noSuchRoute(exchange);
    answer =
      movedPage(router, exchange) ??
      (match
        ? await executeRoute({ kernel, router, exchange, match })
        : await answerUnmatched(kernel, router, exchange));
  } catch (error) {
    if (error instanceof ClientGone) return;
    answer = await failed(kernel, { router, exchange, match, error });
  }
  if (response.headersSent) response.destroy();
  else await sendAnswer(exchange, answer);
}

// A page has one canonical path: trailing and doubled slashes redirect to it.
function movedPage(router: Router, { request, target }: HttpExchange): Answer | null {
  const path = tidiedPath(request.url ?? '/');
  if (path === null || (request.method !== 'GET' && request.method !== 'HEAD')) return null;
  const page = router.match('GET', path);
  if (!page || (page.format === null && !page.route.declaration.html)) return null;
  const location = target.query === '' ? path : `${path}?${target.query}`;
  const headers: [string, string][] = [
    ['Location', location],
    ['Cache-Control', 'public, max-age=3600'],
  ];
  return createAnswer({ status: 308, headers, body: null, tagged: false });
}

function executeRoute(execution: Execution): Promise<Answer> {
  return execution.match.route.declaration.method === 'GET' ? executeRead(execution) : executeWrite(execution);
}

interface Failed {
  router: Router;
  exchange: HttpExchange;
  match: RouteMatch | null;
  error: unknown;
}

async function failed(kernel: Kernel, { router, exchange, match, error }: Failed): Promise<Answer> {
  const { ctx } = kernel;
  const apiError = await toApiError(ctx, exchange, error);
  const { path } = exchange.target;
  const group = match?.route.group ?? router.groupOf(path);
  const vary = match?.route.vary ?? group?.vary ?? DEFAULT_VARY;
  const own = match ? (match.route.declaration.failure ?? group?.failure) : unmatchedFormat(router, path);
  const format = group?.prefix === '' && wantsData(exchange) ? undefined : own;
  const recognize = () => visitorContext(kernel, exchange);
  return failureAnswer(ctx, { error: apiError, format, recognize, vary });
}

async function visitorContext({ ctx, credentials }: Kernel, { request, client }: HttpExchange): Promise<Context> {
  const presented = { authorization: undefined, cookies: request.headers.cookie, ip: client.ip };
  const { caller } = await identifyCaller(credentials, presented, 'visitor');
  return { ...ctx, caller };
}

// A path with a format suffix is requested by a program, which expects the JSON envelope for errors. The same holds for
// a client that prefers JSON to HTML.
function wantsData({ request, target }: HttpExchange): boolean {
  return namesForm(target.path) || negotiate(request.headers.accept, ['text/html', 'application/json']) !== 'text/html';
}

function unmatchedFormat(router: Router, path: string): FailureFormat | undefined {
  const [known] = router.routesAt(path);
  if (!known) return router.groupOf(path)?.failure;
  return known.group.ownsUnmatched ? (known.declaration.failure ?? known.group.failure) : undefined;
}

async function answerUnmatched(kernel: Kernel, router: Router, exchange: HttpExchange): Promise<Answer> {
  const { request, target } = exchange;
  await limitUnmatched(kernel, router, exchange);
  const methods = router.routesAt(target.path).map((route) => route.declaration.method);
  if (methods.length === 0) throw noSuchRoute(exchange);
  const allow = [...new Set<string>([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].join(', ');
  if (request.method === 'OPTIONS') {
    const headers: [string, string][] = [['Allow', allow], ...preflightHeaders()];
    return createAnswer({ status: 204, headers, vary: ['Origin'], body: null, tagged: false });
  }
  const message = `method not allowed: ${request.method} ${target.path}`;
  throw new ApiError('method_not_allowed', message, undefined, { Allow: allow });
}

function noSuchRoute({ request, target }: HttpExchange): ApiError {
  return new ApiError('not_found', `no such route: ${request.method} ${target.path}`);
}
