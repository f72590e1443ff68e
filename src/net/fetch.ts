// The outbound door: every byte that leaves the service goes through `GuardedFetch`.
import { retryAfterMs } from '../domain/net/retry-after.ts';
import type { TargetRules } from '../domain/net/target.ts';
import type { BodyRules } from './body.ts';
import type { Dial } from './connect.ts';
import { ABORTED, timedOut } from './failures.ts';
import { createGuard, type Guard, type GuardOptions } from './guard.ts';
import { callerHeaders, type HeaderRecord, withoutCredentials } from './headers.ts';
import type { HostGate } from './host-gate.ts';
import { DEFAULT_LIMITS, type Limits } from './limits.ts';
import { isRedirect, nextHop } from './redirects.ts';
import { type Exchange, sendRequest } from './request.ts';
import { createResolve, type Lookup } from './resolve.ts';
import type { Failure, FetchResult, Redirect } from './result.ts';
import { sleep, systemTimers, type Timers } from './timers.ts';

export interface FetchRules extends TargetRules {
  limits?: Partial<Limits>;
  overflow?: BodyRules['overflow'];
  codings?: BodyRules['codings'];
  // One more try after a passing fault; GET and HEAD alone.
  retry?: boolean;
}

export interface FetchRequest extends FetchRules {
  url: string | URL;
  method?: 'GET' | 'HEAD' | 'POST';
  headers?: HeaderRecord;
  body?: Uint8Array | string;
  // Asked before each redirect, for callers that stay on certain hosts.
  mayRedirect?: (from: URL, to: URL) => boolean | Promise<boolean>;
  signal?: AbortSignal;
}

export type GuardedFetch = (request: FetchRequest) => Promise<FetchResult>;

export interface FetchOptions extends Omit<GuardOptions, 'resolve'> {
  userAgent: string;
  // For every request of this door; a request may set them otherwise.
  rules?: FetchRules;
  gate?: HostGate;
  lookup?: Lookup;
  timers?: Timers;
  // For `Retry-After` dates.
  clock?: () => Date;
  dial?: Dial;
  ca?: string;
}

const RETRY_PAUSE_MS = 2_000;
const PASSING_STATUS = new Set([502, 503, 504]);

export function createFetch(options: FetchOptions): GuardedFetch {
  const { timers = systemTimers, lookup } = options;
  const guard = createGuard({ ...options, resolve: createResolve({ lookup, timers }) });
  return (request) => run({ ...options, timers, guard }, { ...options.rules, ...request });
}

type Door = FetchOptions & { timers: Timers; guard: Guard };

interface Trip {
  url: URL;
  headers: HeaderRecord;
  limits: Limits;
  leftMs: number;
  redirects: Redirect[];
  requests: number;
  bytes: number;
}

async function run(door: Door, request: FetchRequest): Promise<FetchResult> {
  const limits = { ...DEFAULT_LIMITS, ...door.rules?.limits, ...request.limits };
  const url = URL.parse(String(request.url));
  const trip: Trip = {
    url: url ?? new URL('about:blank'),
    headers: callerHeaders(request.headers ?? {}),
    limits,
    leftMs: limits.totalMs,
    redirects: [],
    requests: 0,
    bytes: 0,
  };
  if (url === null) return { ...fail(trip, refused('invalid_url')), url: String(request.url) };
  const safe = (request.method ?? 'GET') !== 'POST';
  let mayRetry = safe && request.retry !== false;
  for (;;) {
    const exchange = await hop(door, request, trip);
    if (mayRetry && isPassing(exchange, door) && trip.leftMs > RETRY_PAUSE_MS) {
      mayRetry = false;
      trip.leftMs -= RETRY_PAUSE_MS;
      if (await sleep(door.timers, RETRY_PAUSE_MS, request.signal)) continue;
      return fail(trip, ABORTED);
    }
    if (!exchange.ok) return fail(trip, exchange.failure, exchange.status);
    if (!follows(request, limits, exchange.status)) return succeed(trip, exchange);
    const failure = await redirect(request, trip, exchange);
    if (failure !== null) return fail(trip, failure, exchange.status);
  }
}

async function hop(door: Door, request: FetchRequest, trip: Trip): Promise<Exchange> {
  const leave = door.gate ? await door.gate.enter(trip.url.host, request.signal) : () => {};
  const started = door.timers.now();
  try {
    if (leave === null || request.signal?.aborted) return unsent(ABORTED);
    return await checkedRequest(door, request, trip, started);
  } finally {
    trip.leftMs -= door.timers.now() - started;
    leave?.();
  }
}

async function checkedRequest(door: Door, request: FetchRequest, trip: Trip, started: number): Promise<Exchange> {
  const { method = 'GET', body, signal, overflow = 'fail', codings = 'packed' } = request;
  const verdict = await door.guard(trip.url, request);
  if (!verdict.ok && verdict.reason === 'unresolved') {
    return unsent({ failure: 'unreachable', code: 'dns_error', detail: verdict.detail });
  }
  if (!verdict.ok) return unsent(refused(verdict.reason));
  const leftMs = trip.leftMs - (door.timers.now() - started);
  if (leftMs <= 0) return unsent(timedOut('total', trip.limits.totalMs));
  trip.requests += 1;
  const skipsBody = (status: number) => follows(request, trip.limits, status);
  const message = { method, headers: trip.headers, userAgent: door.userAgent, body, skipsBody };
  const options = { ...door, limits: trip.limits, leftMs, signal, body: { overflow, codings } };
  const exchange = await sendRequest(verdict.target, message, options);
  trip.bytes += exchange.received;
  return exchange;
}

// Moves the trip to the next hop, or tells why not.
async function redirect(request: FetchRequest, trip: Trip, exchange: Exchange & { ok: true }): Promise<Failure | null> {
  const from = trip.url;
  const next = nextHop(from, exchange.headers, trip.redirects, trip.limits.maxRedirects);
  if (!next.ok) return next.failure;
  if (request.mayRedirect && !(await request.mayRedirect(from, next.url))) {
    return { failure: 'redirect', code: 'unwanted', detail: 'redirect to an address that is not wanted' };
  }
  if (next.url.origin !== from.origin) trip.headers = withoutCredentials(trip.headers);
  trip.redirects.push({ status: exchange.status, from: from.href, to: next.url.href });
  trip.url = next.url;
  return null;
}

// Without redirects allowed, or with a body to send again, the answer itself is the result.
function follows({ method = 'GET' }: FetchRequest, { maxRedirects }: Limits, status: number): boolean {
  return isRedirect(status) && maxRedirects > 0 && method !== 'POST';
}

function isPassing(exchange: Exchange, { clock = () => new Date() }: Door): boolean {
  if (exchange.ok) {
    return PASSING_STATUS.has(exchange.status) && retryAfterMs(exchange.headers['retry-after'], clock()) === null;
  }
  const { failure, code } = exchange.failure;
  return code === 'connection_reset' || (failure === 'timeout' && code === 'connect');
}

function refused(code: Extract<Failure, { failure: 'refused' }>['code']): Failure {
  return { failure: 'refused', code, detail: `target refused: ${code}` };
}

function unsent(failure: Failure): Exchange {
  return { ok: false, failure, status: null, received: 0 };
}

function succeed({ url, redirects, requests, bytes }: Trip, exchange: Exchange & { ok: true }): FetchResult {
  const { status, headers, body, truncated } = exchange;
  return { ok: true, status, headers, body, truncated, finalUrl: url.href, redirects, requests, bytes };
}

function fail({ url, redirects, requests, bytes }: Trip, failure: Failure, status: number | null = null) {
  return { ok: false as const, ...failure, status, url: url.href, redirects, requests, bytes };
}
