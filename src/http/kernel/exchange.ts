// One request and its response, with what is known about them before any route is chosen.
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
  // Credentials were sent, so no shared cache may hold the answer.
  personal: boolean;
  // Names in `Vary` that hold for this request alone.
  vary: string[];
  // Template of the matched route, for the figures.
  route: string;
  startedAt: number;
}

export interface ExchangeParts {
  requestId: (given: string | string[] | undefined) => string;
  addressOf: (request: IncomingMessage) => ClientAddress;
  cors: CorsRule;
}

// The headers that every answer carries are set at once, so that no way of answering can leave them out.
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
