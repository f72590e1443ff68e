// What all request handlers share, what is known of one request, and the counts of all requests.
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Context } from '../../context.ts';
import type { ByteCache } from '../caching/byte-cache.ts';
import type { ClientAddress, CredentialCheck } from './caller.ts';
import { SECURITY_HEADERS } from './headers.ts';
import type { RateTiers } from './limits.ts';
import type { Streams } from './stream.ts';
import { type RequestTarget, readTarget } from './target.ts';
import type { Idempotency } from './write.ts';

export interface Kernel {
  ctx: Context;
  credentials: CredentialCheck;
  idempotency: Idempotency;
  tiers: RateTiers;
  // Null when the cache is switched off.
  cache: ByteCache | null;
  meter: RequestMeter;
  streams: Streams;
  // Set when the process is asked to stop: it still answers, and `/ready` sends new traffic elsewhere.
  stopping: boolean;
  // The data of a first start is still being loaded: `/ready` waits for it, everything else answers.
  loading: boolean;
  // Tests compare every reply with its declared schema.
  verifyAnswers: boolean;
}

// One request and its response, with what is known before a route is matched.

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

const REQUEST_ID = /^[A-Za-z0-9._-]{8,64}$/;

// A random prefix and a counter make unique ids without new random bytes for every request.
export function createRequestIds(
  randomBytes: (size: number) => Uint8Array,
): (given: string | string[] | undefined) => string {
  const start = Buffer.from(randomBytes(9)).toString('base64url');
  let count = 0;
  return (given) => {
    if (typeof given === 'string' && REQUEST_ID.test(given)) return given;
    count += 1;
    return `${start}-${count.toString(36)}`;
  };
}

const EXPOSED =
  'ETag, Link, Location, Retry-After, RateLimit, RateLimit-Policy, Idempotency-Replayed, X-Request-Id, X-Cache, Server-Timing, X-Ignored-Fields, X-Markdown-Tokens';

type CorsRule = (origin: string | undefined) => readonly [string, string][];

const NONE: readonly [string, string][] = [];

export function createCors(trustedOrigins: readonly string[]): CorsRule {
  const trusted = new Set(trustedOrigins);
  const open: readonly [string, string][] = [
    ['Access-Control-Allow-Origin', '*'],
    ['Access-Control-Expose-Headers', EXPOSED],
  ];
  return (origin) => {
    if (origin === undefined) return NONE;
    if (!trusted.has(origin)) return open;
    return [
      ['Access-Control-Allow-Origin', origin],
      ['Access-Control-Allow-Credentials', 'true'],
      ['Access-Control-Expose-Headers', EXPOSED],
    ];
  };
}

const SESSION_COOKIE = /(?:^|;)\s*(?:__Secure-)?(?:registry\.session_token|registry_operator(?:_hint)?)=/;

// Whether the answer belongs to one caller, so that no shared cache, ours included, may store it.
export function isPersonal(headers: IncomingHttpHeaders): boolean {
  return headers.authorization !== undefined || (headers.cookie !== undefined && SESSION_COOKIE.test(headers.cookie));
}

// Request counts and latencies by method, route template and status. They are plain numbers, because every cached read
// updates them.

const BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;

export interface Series {
  method: string;
  route: string;
  status: number;
  count: number;
  seconds: number;
  buckets: number[];
}

export class RequestMeter {
  readonly #series = new Map<string, Series>();
  // Answers served from cached bytes.
  cacheHits = 0;
  // Questions of bots that got a neutral answer although they asked for more, by reason.
  readonly botFaults = new Map<string, number>();

  countBotFault(reason: string): void {
    this.botFaults.set(reason, (this.botFaults.get(reason) ?? 0) + 1);
  }

  record(request: Pick<Series, 'method' | 'route' | 'status'>, seconds: number): void {
    this.observe(this.seriesOf(request.method, request.route, request.status), seconds);
  }

  seriesOf(method: string, route: string, status: number): Series {
    const key = `${status}${method}${route}`;
    let series = this.#series.get(key);
    if (series === undefined) {
      series = { method, route, status, count: 0, seconds: 0, buckets: BUCKETS.map(() => 0) };
      this.#series.set(key, series);
    }
    return series;
  }

  observe(series: Series, seconds: number): void {
    series.count += 1;
    series.seconds += seconds;
    const index = BUCKETS.findIndex((bound) => seconds <= bound);
    if (index >= 0) series.buckets[index] = (series.buckets[index] ?? 0) + 1;
  }

  series(): Series[] {
    return [...this.#series.values()];
  }

  // The buckets are cumulative, as Prometheus requires.
  static cumulative(series: Series): [bound: number, count: number][] {
    let total = 0;
    return BUCKETS.map((bound, index) => {
      total += series.buckets[index] ?? 0;
      return [bound, total];
    });
  }
}
