// Turns a request into its answer: runs the matching route, or answers 404, 405 and OPTIONS.
import { ClientGone, type Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { hasControlCharacter } from '../../domain/clean-text.ts';
import { negotiate } from '../../domain/content-negotiation.ts';
import type { Dependencies } from '../../store/changes/change-feed.ts';
import { CACHED_SECONDS } from '../caching/byte-cache.ts';
import { bypassHeaders, hitHeaders, missHeaders } from '../caching/tell-cache.ts';
import { admit, type Execution, limitUnmatched } from './admit.ts';
import { type Answer, createAnswer, isUnchanged, renderReply, sendAnswer } from './answer.ts';
import { identifyCaller } from './caller.ts';
import { failureAnswer, toApiError } from './failure.ts';
import { PREFLIGHT_HEADERS } from './headers.ts';
import type { HttpExchange, Kernel } from './kernel.ts';
import { giveBackRead } from './limits.ts';
import { toReply } from './reply.ts';
import type { FailureFormat, RouteDeclaration } from './route.ts';
import { DEFAULT_VARY, namesForm, type RouteMatch, type Router, runRoute, verifyReply } from './router.ts';
import type { StreamRequest } from './stream.ts';
import { checkPathIds, decodedPath, readQueryInput, tidiedPath } from './target.ts';
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
  const routes = router.routesAt(target.path);
  // What a less specific path could do is not said of this one.
  const nearest = routes.map(({ segmentKinds }) => segmentKinds).sort()[0];
  const methods = routes.filter((one) => one.segmentKinds === nearest).map((one) => one.declaration.method);
  if (methods.length === 0) throw noSuchRoute(exchange);
  const allow = [...new Set<string>([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].join(', ');
  if (request.method === 'OPTIONS') {
    const headers: [string, string][] = [['Allow', allow], ...PREFLIGHT_HEADERS];
    return createAnswer({ status: 204, headers, vary: ['Origin'], body: null, tagged: false });
  }
  const message = `method not allowed: ${request.method} ${target.path}`;
  throw new ApiError('method_not_allowed', message, undefined, { Allow: allow });
}

function noSuchRoute({ request, target }: HttpExchange): ApiError {
  return new ApiError('not_found', `no such route: ${request.method} ${target.path}`);
}

// Executes a GET: parses path and query, looks into the cache, negotiates the format, calls `run`.
async function executeRead(execution: Execution): Promise<Answer> {
  const { kernel, exchange, match } = execution;
  const { route } = match;
  const { declaration } = route;
  const { ctx, request } = await admit(execution);
  const offered = match.format === null ? route.offered : null;
  const { format } = request;
  const input = {
    params: checkPathIds(match.params),
    query: readQueryInput(route, exchange.target.query),
    body: undefined,
  };
  if (declaration.live) {
    const streamRequest = (await runRoute(declaration, { ctx, input, request })) as StreamRequest;
    const reply = await kernel.streams.open({ ...ctx, isAbandoned: undefined }, exchange, streamRequest);
    return renderReply(ctx, { route, exchange, reply, written: null });
  }
  const slot = cacheSlotOf(execution, input.query);
  const mark = slot?.cache.refresh() ?? 0;
  const madeAt = slot?.cache.version ?? 0;
  const cached = slot?.cache.find(slot.url, format);
  if (mayBeCached(declaration)) {
    const told = cached ? hitHeaders(cached) : slot ? missHeaders(madeAt) : bypassHeaders(declaration, input.query);
    for (const [name, value] of told) exchange.response.setHeader(name, value);
  }
  if (cached) return cached.answer;
  if (declaration.counts) request.takeReads(1);
  const reply = toReply(await runRoute(declaration, { ctx, input, request }));
  if (kernel.verifyAnswers) verifyReply(declaration, reply);
  const answer = renderReply(ctx, { route, exchange, reply, written: { format, input } });
  if (declaration.counts && isUnchanged(exchange, answer)) giveBackRead(kernel.tiers, { caller: ctx.caller, exchange });
  const isCacheable = answer.status === 200 && !answer.open && !ctx.answer.containsHidden && !ctx.answer.degraded;
  if (slot && isCacheable && reply.cookies.length === 0) {
    slot.cache.store(slot.url, {
      format,
      offered: offered ?? { formats: [format], types: [''] },
      mark,
      madeAt,
      dependencies: dependenciesOf(ctx, declaration),
      seconds: slot.seconds,
      answer,
      route: route.template,
      isCounted: route.group.isApi ?? false,
    });
  }
  return answer;
}

// An answer that resolved no entity depends on the whole registry, whatever its declaration says.
function dependenciesOf({ answer }: Context, { dependsOn }: RouteDeclaration): Dependencies {
  const { shows, showsRegistry } = answer;
  return dependsOn === 'resolved' && !showsRegistry && shows !== null && shows.size > 0 ? shows : null;
}

// The cache key of the answer, or null when it must not be cached. All spellings of a default request share one key.
function cacheSlotOf({ kernel: { cache }, match: { route }, exchange }: Execution, query: Record<string, never>) {
  const { storedAnswer } = route.declaration;
  if (cache === null || !mayBeCached(route.declaration) || exchange.personal) return null;
  if (!storedAnswer) return { cache, url: exchange.request.url ?? '', seconds: CACHED_SECONDS };
  if (!storedAnswer.isDefault(query)) return null;
  return { cache, url: exchange.target.path, seconds: storedAnswer.seconds };
}

function mayBeCached({ cache, cacheBytes }: RouteDeclaration): boolean {
  return cache !== undefined && cache !== 'never' && cacheBytes !== false;
}
