// From a request to its answer: the route that it leads to, or the one place for 404, 405 and OPTIONS.
import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { hasControlCharacter } from '../../domain/clean-text.ts';
import { type Execution, limitUnmatched } from './admit.ts';
import { type Answer, createAnswer } from './answer.ts';
import { ClientGone } from './body.ts';
import { DEFAULT_VARY } from './compile.ts';
import type { HttpExchange } from './exchange.ts';

import { failureAnswer, toApiError } from './failure.ts';
import { preflightHeaders } from './headers.ts';
import type { Kernel } from './kernel.ts';
import { executeRead } from './read.ts';
import type { FailureFormat } from './route.ts';
import type { RouteMatch, Router } from './router.ts';
import { sendAnswer } from './send.ts';
import { decodedPath } from './target.ts';
import { executeWrite } from './write.ts';

export async function dispatch(kernel: Kernel, router: Router, exchange: HttpExchange): Promise<void> {
  const { request, response, target } = exchange;
  const match = router.match(request.method ?? '', target.path);
  if (match) exchange.route = match.route.template;
  let answer: Answer;
  try {
    if (hasControlCharacter(decodedPath(target.path))) throw noSuchRoute(exchange);
    answer = match
      ? await executeRoute({ kernel, router, exchange, match })
      : await answerUnmatched(kernel, router, exchange);
  } catch (error) {
    if (error instanceof ClientGone) return;
    answer = await failed(kernel.ctx, { router, exchange, match, error });
  }
  if (response.headersSent) response.destroy();
  else await sendAnswer(exchange, answer);
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

async function failed(ctx: Context, { router, exchange, match, error }: Failed): Promise<Answer> {
  const apiError = await toApiError(ctx, exchange, error);
  if (match) return failureAnswer(ctx, { error: apiError, format: formatOf(match), vary: match.route.vary });
  const { path } = exchange.target;
  const vary = router.groupOf(path)?.vary ?? DEFAULT_VARY;
  return failureAnswer(ctx, { error: apiError, format: unmatchedFormat(router, path), vary });
}

// A path that names a format by its end is read by a program, which expects the common envelope.
function formatOf({ route, format }: RouteMatch): FailureFormat | undefined {
  return format === null ? (route.declaration.failure ?? route.group.failure) : undefined;
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
