// One request and its response, with what is known before a route is matched.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ClientAddress } from './client-address.ts';
import { type CorsRule, isPersonal, SECURITY_HEADERS } from './headers.ts';
import { type RequestTarget, readTarget } from './target.ts';

export interface HttpExchange {
  request: IncomingMessage;
  response: ServerResponse;
  requestId: string;
  target: RequestTarget;
  client: ClientAddress;
  // Credentials were sent, so shared caches must not store the answer.
  personal: boolean;
  // Names in `Vary` for this request only.
  vary: string[];
  // The template of the matched route, for the metrics.
  route: string;
  startedAt: number;
}

export interface ExchangeParts {
  requestId: (given: string | string[] | undefined) => string;
  addressOf: (request: IncomingMessage) => ClientAddress;
  cors: CorsRule;
}

// The headers of every answer are set at once, so that no path through the kernel can omit them.
export function openExchange(request: IncomingMessage, response: ServerResponse, parts: ExchangeParts): HttpExchange {
  const requestId = parts.requestId(request.headers['x-request-id']);
  const cors = parts.cors(request.headers.origin);
  response.setHeader('X-Request-Id', requestId);
  for (const [name, value] of SECURITY_HEADERS) response.setHeader(name, value);
  for (const [name, value] of cors) response.setHeader(name, value);
  if (cors.length > 0) response.setHeader('Vary', 'Origin');
  return {
    request,
    response,
    requestId,
    target: readTarget(request.url ?? '/'),
    client: parts.addressOf(request),
    personal: isPersonal(request.headers),
    vary: cors.length > 0 ? ['Origin'] : [],
    route: 'unmatched',
    startedAt: performance.now(),
  };
}
