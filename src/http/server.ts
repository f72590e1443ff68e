// The HTTP door: a node server, the fast lane in front, the router behind it.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { getRequestListener, RequestError } from '@hono/node-server';
import type { Context } from '../context.ts';
import { ApiError } from '../contract/errors.ts';
import { ByteCache } from './caching/byte-cache.ts';
import { createFastLane } from './caching/fast-lane.ts';
import { createAddressReader } from './kernel/client-address.ts';
import type { CredentialCheck } from './kernel/credentials.ts';
import { type Exchange, type ExchangeParts, openExchange } from './kernel/exchange.ts';
import { createCors, createRequestIds } from './kernel/headers.ts';
import { type Idempotency, NO_IDEMPOTENCY } from './kernel/idempotency.ts';
import type { Kernel } from './kernel/kernel.ts';
import { createTiers } from './kernel/limits.ts';
import { createRequestLog } from './kernel/request-log.ts';
import { RequestMeter } from './kernel/request-meter.ts';
import { createStreams } from './kernel/stream.ts';
import { createServiceRouter, type ServiceParts } from './service-router.ts';

export interface HttpServerInput extends ServiceParts {
  ctx: Context;
  credentials: CredentialCheck;
  idempotency?: Idempotency;
  // Compare every answer with its declared schema; for tests.
  verifyAnswers?: boolean;
  arrival?: typeof ARRIVAL_LIMITS;
}

export interface HttpServer {
  listen(address?: { port?: number; host?: string }): Promise<{ port: number; host: string; url: string }>;
  // From now on `/ready` says that the process is stopping, and connections end with their next answer.
  beginStop(): void;
  // Stops accepting, ends streams, lets running requests finish, and ends what is left after the grace.
  close(graceMs?: number): Promise<void>;
}

const KEEP_ALIVE_MS = 65_000;
// A request has to arrive, with its body, within the sum of the two.
export const ARRIVAL_LIMITS = { requestMs: 28_000, checkMs: 2000 };
const GRACE_MS = 8000;
const IDLE_CHECK_MS = 20;

export function createHttpServer(input: HttpServerInput): HttpServer {
  const { ctx } = input;
  const kernel = createKernel(input);
  const parts: ExchangeParts = {
    requestId: createRequestIds(ctx.randomBytes),
    addressOf: createAddressReader(ctx.config),
    cors: createCors(ctx.config.trustedOrigins),
  };
  const router = createServiceRouter(kernel, input);
  const exchanges = new WeakMap<IncomingMessage, Exchange>();
  const listener = getRequestListener(
    (request, { incoming }) =>
      router.fetch(request, { exchange: exchanges.get(incoming as IncomingMessage) as Exchange }),
    { hostname: 'localhost', overrideGlobalObjects: false, errorHandler: (error) => lastResort(ctx, error) },
  );
  const fastLane = createFastLane(kernel, parts);
  const { requestMs, checkMs } = input.arrival ?? ARRIVAL_LIMITS;
  const options = {
    keepAliveTimeout: KEEP_ALIVE_MS,
    requireHostHeader: false,
    requestTimeout: requestMs,
    headersTimeout: requestMs,
    connectionsCheckingInterval: checkMs,
  };
  const requestLog = createRequestLog(ctx);
  const server = createServer(options, (request, response) => {
    requestLog?.(request, response, () => exchanges.get(request));
    if (kernel.stopping) response.shouldKeepAlive = false;
    if (fastLane(request, response)) return;
    const exchange = openExchange(request, response, parts);
    exchanges.set(request, exchange);
    response.once('close', () => {
      const seconds = (performance.now() - exchange.startedAt) / 1000;
      kernel.meter.record(request.method ?? '', exchange.route, response.statusCode, seconds);
    });
    void listener(request, response);
  });
  server.on('clientError', refuseConnection);

  return {
    listen: ({ port = ctx.config.port, host = ctx.config.host } = {}) => listen(server, port, host),
    beginStop() {
      kernel.stopping = true;
    },
    close: (graceMs = GRACE_MS) => {
      kernel.stopping = true;
      kernel.streams.close();
      return closeGracefully(server, graceMs);
    },
  };
}

function createKernel(input: HttpServerInput): Kernel {
  const { ctx } = input;
  return {
    ctx,
    credentials: input.credentials,
    idempotency: input.idempotency ?? NO_IDEMPOTENCY,
    tiers: createTiers(ctx),
    cache: ctx.config.cache
      ? new ByteCache({ version: () => ctx.store.dataVersion(), now: () => ctx.clock().getTime() })
      : null,
    meter: new RequestMeter(),
    streams: createStreams(ctx),
    stopping: false,
    verifyAnswers: input.verifyAnswers ?? false,
  };
}

function listen(server: Server, port: number, host: string): Promise<{ port: number; host: string; url: string }> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const bound = server.address() as AddressInfo;
      const name = bound.family === 'IPv6' ? `[${bound.address}]` : bound.address;
      resolve({ port: bound.port, host: bound.address, url: `http://${name}:${bound.port}` });
    });
  });
}

// A connection whose last response has just ended is idle, but node closes only those that were idle at the call.
async function closeGracefully(server: Server, graceMs: number): Promise<void> {
  if (!server.listening) return;
  const idle = setInterval(() => server.closeIdleConnections(), IDLE_CHECK_MS);
  const grace = setTimeout(() => server.closeAllConnections(), graceMs);
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  clearInterval(idle);
  clearTimeout(grace);
}

// What the adapter cannot turn into a request is the caller's mistake; whatever else comes here is ours.
function lastResort({ log }: Context, cause: unknown): Response {
  const error = cause instanceof RequestError ? unreadable() : new ApiError('internal_error', 'something went wrong');
  if (error.code === 'internal_error') log.error({ err: cause }, 'a request could not be answered');
  return Response.json(error.toBody(), { status: error.status, headers: { 'Cache-Control': 'private, no-store' } });
}

function unreadable(): ApiError {
  const reason = 'the request is not readable';
  return new ApiError('bad_request', reason, { parameter: 'request', reason });
}

const REFUSALS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'the headers are too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request did not arrive within 30 seconds',
};

// What node's parser refuses never becomes a request; the answer has the common form all the same.
function refuseConnection(error: NodeJS.ErrnoException, socket: Socket | ServerResponse['socket']): void {
  if (!socket?.writable || error.code === 'ECONNRESET') {
    socket?.destroy();
    return;
  }
  const reason = REFUSALS[error.code ?? ''] ?? 'the request is not readable';
  const body = JSON.stringify(new ApiError('bad_request', reason, { parameter: 'request', reason }).toBody());
  const head = [
    'HTTP/1.1 400 Bad Request',
    'Content-Type: application/json; charset=utf-8',
    'Cache-Control: private, no-store',
    'X-Content-Type-Options: nosniff',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
