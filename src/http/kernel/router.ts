// Paths and methods. Hono matches; everything else about a request is decided by its declaration.
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { Hono } from 'hono';
import { TrieRouter } from 'hono/router/trie-router';
import { ApiError } from '../../contract/errors.ts';
import { hasControlCharacter } from '../../domain/clean-text.ts';
import { type Answer, createAnswer } from './answer.ts';
import { ClientGone } from './body.ts';
import type { CompiledRoute } from './compile.ts';
import type { Exchange } from './exchange.ts';
import { executeRoute, limitUnmatched } from './execute.ts';
import { errorAnswer, toApiError } from './failure.ts';
import { preflightHeaders } from './headers.ts';
import type { Kernel } from './kernel.ts';
import type { Method } from './route.ts';
import { sendAnswer } from './send.ts';
import { decodedPath } from './target.ts';

type RouterEnv = { Bindings: { exchange: Exchange } };
export type Router = Hono<RouterEnv>;

// Handlers that are not declarations: pages, the agent protocol, the live stream.
export type Mount = (router: Router, tools: MountTools) => void;

export interface MountTools {
  kernel: Kernel;
  // Makes the route known to OPTIONS and `Allow`.
  announce(method: Method, path: string): void;
}

const DEFAULT_VARY = ['Authorization', 'Accept-Encoding'];

export function createRouter(kernel: Kernel, routes: readonly CompiledRoute[], mount: Mount): Router {
  const router: Router = new Hono<RouterEnv>({
    getPath: (_request, options) => options?.env?.exchange.target.path ?? '/',
  });
  const known = new TrieRouter<Method>();
  mount(router, { kernel, announce: (method, path) => known.add('ALL', path, method) });
  refuseDoubles(routes);
  for (const route of [...routes].sort(bySpecificity)) {
    const path = route.template.replaceAll(/\{(\w+)\}/g, ':$1');
    known.add('ALL', path, route.declaration.method);
    router.on(route.declaration.method, path, async (c) => {
      const { exchange } = c.env;
      exchange.route = route.template;
      await respond(kernel, exchange, route.vary, () => executeRoute(kernel, route, exchange, c.req.param()));
      return RESPONSE_ALREADY_SENT;
    });
  }
  router.notFound(async (c) => {
    const { exchange } = c.env;
    const methods = known.match('ALL', exchange.target.path)[0].map(([method]) => method);
    await respond(kernel, exchange, DEFAULT_VARY, async () => {
      await limitUnmatched(kernel, exchange);
      return unmatched(exchange, methods);
    });
    return RESPONSE_ALREADY_SENT;
  });
  router.onError(async (error, c) => {
    await respond(kernel, c.env.exchange, DEFAULT_VARY, () => Promise.reject(error));
    return RESPONSE_ALREADY_SENT;
  });
  return router;
}

export async function respond(
  kernel: Kernel,
  exchange: Exchange,
  vary: readonly string[],
  work: () => Promise<Answer>,
): Promise<void> {
  let answer: Answer;
  try {
    if (hasControlCharacter(decodedPath(exchange.target.path))) throw noSuchRoute(exchange);
    answer = await work();
  } catch (error) {
    if (error instanceof ClientGone) return;
    answer = errorAnswer(await toApiError(kernel.ctx, exchange, error), vary);
  }
  if (exchange.response.headersSent) exchange.response.destroy();
  else await sendAnswer(exchange, answer);
}

function noSuchRoute({ request, target }: Exchange): ApiError {
  return new ApiError('not_found', `no such route: ${request.method} ${target.path}`);
}

function unmatched(exchange: Exchange, methods: readonly Method[]): Answer {
  const { request, target } = exchange;
  if (methods.length === 0) throw noSuchRoute(exchange);
  const allow = [...new Set<string>([...methods, ...(methods.includes('GET') ? ['HEAD'] : []), 'OPTIONS'])].join(', ');
  if (request.method === 'OPTIONS') {
    const headers: [string, string][] = [['Allow', allow], ...preflightHeaders()];
    return createAnswer({ status: 204, headers, vary: ['Origin'], body: null, tagged: false });
  }
  const message = `method not allowed: ${request.method} ${target.path}`;
  throw new ApiError('method_not_allowed', message, undefined, { Allow: allow });
}

// Two declarations for one address would shadow each other in silence.
function refuseDoubles(routes: readonly CompiledRoute[]): void {
  const seen = new Set<string>();
  for (const { declaration, template } of routes) {
    const address = `${declaration.method} ${template.replaceAll(/\{\w+\}/g, '{}')}`;
    if (seen.has(address)) throw new Error(`declared twice: ${declaration.method} ${template}`);
    seen.add(address);
  }
}

// Fixed segments come before parameters, whatever the order of declaration; a method that the more specific path
// lacks falls through to the next one.
function bySpecificity(a: CompiledRoute, b: CompiledRoute): number {
  const left = kindsOf(a.template);
  const right = kindsOf(b.template);
  return left < right ? -1 : left > right ? 1 : 0;
}

function kindsOf(template: string): string {
  return template
    .split('/')
    .map((segment) => (segment.startsWith('{') ? '1' : '0'))
    .join('');
}
