// The HTTP server of one process: a node server with the byte cache in front of the routes.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { ByteCache } from '../caching/byte-cache.ts';
import { createCacheLog } from './cache-log.ts';
import { type CredentialCheck, createAddressReader } from './caller.ts';
import { dispatch } from './dispatch.ts';
import { createFastLane } from './fast-lane.ts';
import { transportSecurity } from './headers.ts';
import {
  createCors,
  createRequestIds,
  type ExchangeParts,
  type HttpExchange,
  type Kernel,
  openExchange,
  RequestMeter,
} from './kernel.ts';
import { createTiers } from './limits.ts';
import { createRequestLog } from './request-log.ts';
import type { RouteGroup } from './route.ts';
import { createRouter } from './router.ts';
import { createStreams } from './stream.ts';
import { type Idempotency, NO_IDEMPOTENCY } from './write.ts';

export interface KernelInput {
  ctx: Context;
  credentials: CredentialCheck;
  idempotency?: Idempotency;
  // Tests compare every reply with its declared schema.
  verifyAnswers?: boolean;
}

export interface HttpServer {
  listen(address?: { port?: number; host?: string }): Promise<{ port: number; host: string; url: string }>;
  // From now on `/ready` reports that the process is stopping, and connections close after their next response.
  beginStop(): void;
  // Whether `/ready` reports that the data of a first start is being loaded.
  setLoading(loading: boolean): void;
  // Stops accepting, ends streams, lets running requests finish, and closes the remaining connections after the grace
  // period.
  close(graceMs?: number): Promise<void>;
}

const KEEP_ALIVE_MS = 65_000;
// A request has to arrive, with its body, within the sum of the two.
export const ARRIVAL_LIMITS = { requestMs: 28_000, checkMs: 2000 };
const GRACE_MS = 8000;
const IDLE_CHECK_MS = 20;

export function createKernel({ ctx, credentials, idempotency, verifyAnswers }: KernelInput): Kernel {
  return {
    ctx,
    credentials,
    idempotency: idempotency ?? NO_IDEMPOTENCY,
    tiers: createTiers(ctx),
    cache: ctx.config.cache ? createByteCache(ctx) : null,
    meter: new RequestMeter(),
    streams: createStreams(ctx),
    stopping: false,
    loading: false,
    verifyAnswers: verifyAnswers ?? false,
  };
}

function createByteCache(ctx: Context): ByteCache {
  const now = () => ctx.clock().getTime();
  return new ByteCache({ changes: ctx.store.changes, now, log: createCacheLog(ctx) });
}

interface ServerOptions {
  groups: readonly RouteGroup[];
  arrival?: typeof ARRIVAL_LIMITS;
}

export function createKernelServer(kernel: Kernel, { groups, arrival = ARRIVAL_LIMITS }: ServerOptions): HttpServer {
  const { ctx } = kernel;
  const parts: ExchangeParts = {
    requestId: createRequestIds(ctx.randomBytes),
    addressOf: createAddressReader(ctx.config),
    cors: createCors(ctx.config.trustedOrigins),
  };
  const router = createRouter(groups);
  const exchanges = new WeakMap<IncomingMessage, HttpExchange>();
  const fastLane = createFastLane(kernel, parts);
  const requestLog = createRequestLog(ctx);
  const httpsPromise = transportSecurity(ctx.config);
  const options = {
    keepAliveTimeout: KEEP_ALIVE_MS,
    requireHostHeader: false,
    requestTimeout: arrival.requestMs,
    headersTimeout: arrival.requestMs,
    connectionsCheckingInterval: arrival.checkMs,
  };
  const server = createServer(options, (request, response) => {
    requestLog?.(request, response, () => exchanges.get(request));
    if (kernel.stopping) response.shouldKeepAlive = false;
    if (httpsPromise !== null) response.setHeader('Strict-Transport-Security', httpsPromise);
    if (!namesOneHost(request)) {
      refuseHost(response);
      return;
    }
    if (fastLane?.(request, response)) return;
    const exchange = openExchange(request, response, parts);
    exchanges.set(request, exchange);
    response.once('close', () => {
      const seconds = (performance.now() - exchange.startedAt) / 1000;
      kernel.meter.record(
        { method: request.method ?? '', route: exchange.route, status: response.statusCode },
        seconds,
      );
    });
    dispatch(kernel, router, exchange).catch((error) => {
      ctx.log.error({ err: error }, 'a request could not be answered');
      response.destroy();
    });
  });
  server.on('clientError', refuseConnection);

  return {
    listen: ({ port = ctx.config.port, host = ctx.config.host } = {}) => listen(server, port, host),
    beginStop() {
      kernel.stopping = true;
    },
    setLoading(loading) {
      kernel.loading = loading;
    },
    close: (graceMs = GRACE_MS) => {
      kernel.stopping = true;
      kernel.streams.close();
      return closeGracefully(server, graceMs);
    },
  };
}

// HTTP/1.1 demands one Host: with two, a proxy and this service could read different ones. Node hides the second, and a list
// in one header names two as well.
function namesOneHost({ rawHeaders, httpVersionMinor, httpVersionMajor }: IncomingMessage): boolean {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += rawHeaders[i + 1]?.includes(',') ? 2 : 1;
  }
  return hosts === 1 || (hosts === 0 && httpVersionMajor === 1 && httpVersionMinor === 0);
}

function refuseHost(response: ServerResponse): void {
  const reason = 'HTTP/1.1 needs exactly one Host header';
  const body = JSON.stringify(new ApiError('bad_request', reason, { parameter: 'Host', reason }).toBody());
  response.shouldKeepAlive = false;
  response.writeHead(400, { ...REFUSAL_HEADERS, 'Content-Length': Buffer.byteLength(body) });
  response.end(body);
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

// Node closes only connections that are idle at the time of the call, so the call is repeated until none is left.
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

const REFUSAL_HEADERS = {
  'Content-Type': 'application/json; charset=utf-8',
  'Cache-Control': 'private, no-store',
  'X-Content-Type-Options': 'nosniff',
};

const REFUSALS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: 'the headers are too large',
  ERR_HTTP_REQUEST_TIMEOUT: 'the request did not arrive within 30 seconds',
};

// What node's parser refuses never becomes a request, but the response still has the common envelope.
function refuseConnection(error: NodeJS.ErrnoException, socket: Socket | ServerResponse['socket']): void {
  // Browsers open connections before they need them. The response to an unused one would be read as that to the request
  // which is just being sent on it; a closed connection makes the browser open another one.
  const isUnused = socket?.bytesRead === 0;
  if (!socket?.writable || isUnused || error.code === 'ECONNRESET') {
    socket?.destroy();
    return;
  }
  const reason = REFUSALS[error.code ?? ''] ?? 'the request is not readable';
  const body = JSON.stringify(new ApiError('bad_request', reason, { parameter: 'request', reason }).toBody());
  const head = [
    'HTTP/1.1 400 Bad Request',
    ...Object.entries(REFUSAL_HEADERS).map(([name, value]) => `${name}: ${value}`),
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
  ];
  socket.end(`${head.join('\r\n')}\r\n\r\n${body}`);
}
