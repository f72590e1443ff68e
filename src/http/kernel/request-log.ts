// A log line for every request, cached ones included: at level debug, or at info when the operator enables them.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from '../../context.ts';
import type { HttpExchange } from './kernel.ts';

type RequestLog = (
  request: IncomingMessage,
  response: ServerResponse,
  exchangeOf: () => HttpExchange | undefined,
) => void;

// Null when the level is switched off: most requests are answered in less time than a line takes.
export function createRequestLog({ config, log }: Pick<Context, 'config' | 'log'>): RequestLog | null {
  const level = config.requestLog ? 'info' : 'debug';
  if (!log.isLevelEnabled(level)) return null;
  return (request, response, exchangeOf) => {
    const startedAt = performance.now();
    response.once('close', () => {
      const exchange = exchangeOf();
      log[level](
        {
          method: request.method,
          path: pathWithoutSecrets(request.url ?? '', exchange?.route),
          route: exchange?.route ?? 'cached',
          status: response.statusCode,
          ms: Math.round((performance.now() - startedAt) * 10) / 10,
          ...(exchange ? { ip: exchange.client.ip, requestId: exchange.requestId } : {}),
          ...(response.writableFinished ? {} : { aborted: true }),
        },
        'request',
      );
    });
  };
}

// Paths that contain a secret: private feeds and password reset links.
const SECRET_SEGMENT = /(\/(?:feed|reset-password)\/)[^/]+/i;

// A query may contain a token too, so it is left out.
export function pathWithoutSecrets(url: string, route?: string): string {
  if (route?.includes('{token}')) return route;
  return (url.split('?', 1)[0] ?? '').replace(SECRET_SEGMENT, '$1…');
}
