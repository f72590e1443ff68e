// The guarded fetch: every byte that leaves the service goes through a `GuardedFetch`.
import { retryAfterMs } from '../domain/net/retry-after.ts';
import { createConnectionPool } from './connection-pool.ts';
import { createGuard } from './guard.ts';
import { callerHeaders, type HeaderRecord, withoutCredentials } from './headers.ts';
import { loopTimers } from './loop-timers.ts';
import { type Exchange, sendRequest } from './request.ts';
import { createResolve } from './resolve.ts';
import {
  ABORTED,
  type FetchFailure,
  type FetchResult,
  type Redirect,
  type RequestFailure,
  timedOut,
} from './result.ts';
import { settleRules } from './rules.ts';
import { sleep } from './timers.ts';
import type { FetchClient, FetchRequest, FetchTrip, GuardedFetchOptions, PreparedRequest } from './trip.ts';

export type GuardedFetch = (request: FetchRequest) => Promise<FetchResult>;

const RETRY_PAUSE_MS = 2_000;
const PASSING_STATUS = new Set([502, 503, 504]);

export function createFetch(options: GuardedFetchOptions): GuardedFetch {
  const { timers = loopTimers, clock = () => new Date(), lookup } = options;
  const guard = createGuard({ ...options, resolve: createResolve({ lookup, timers }) });
  const connections = createConnectionPool();
  return async (request) => {
    const url = URL.parse(String(request.url));
    const rules = settleRules(options.rules, request);
    const trip = { leftMs: rules.limits.totalMs, redirects: [], requests: 0, bytes: 0 };
    if (url === null) return fail({ ...trip, url: String(request.url) }, refused('invalid_url'));
    url.hash = '';
    const headers = callerHeaders(request.headers ?? {});
    return run({ ...options, timers, clock, guard, connections }, { ...request, rules }, { ...trip, url, headers });
  };
}

async function run(client: FetchClient, order: PreparedRequest, trip: FetchTrip): Promise<FetchResult> {
  let mayRetry = order.rules.retry && order.method !== 'POST';
  for (;;) {
    const exchange = await politeHop(client, order, trip);
    if (mayRetry && isPassing(exchange, client.clock()) && trip.leftMs > RETRY_PAUSE_MS) {
      mayRetry = false;
      trip.leftMs -= RETRY_PAUSE_MS;
      if (await sleep(client.timers, RETRY_PAUSE_MS, order.signal)) continue;
      return fail(trip, ABORTED);
    }
    if (!exchange.ok) return fail(trip, exchange.failure, exchange.status);
    if (!follows(order, exchange.status)) return succeed(trip, exchange);
    const failure = await redirect(order, trip, exchange);
    if (failure !== null) return fail(trip, failure, exchange.status);
  }
}

function isPassing(exchange: Exchange, now: Date): boolean {
  if (exchange.ok) {
    return PASSING_STATUS.has(exchange.status) && retryAfterMs(exchange.headers['retry-after'], now) === null;
  }
  return exchange.failure.code === 'connection_reset' || exchange.failure.code === 'connect';
}

function succeed({ url, redirects, requests, bytes }: FetchTrip, exchange: Exchange & { ok: true }): FetchResult {
  const { status, headers, body, truncated } = exchange;
  return { ok: true, status, headers, body, truncated, finalUrl: withoutUserInfo(url), redirects, requests, bytes };
}

function fail(
  { url, redirects, requests, bytes }: Omit<FetchTrip, 'url' | 'headers'> & { url: URL | string },
  failure: RequestFailure,
  status: number | null = null,
): FetchFailure {
  return { ok: false, ...failure, status, url: withoutUserInfo(url), redirects, requests, bytes };
}

// User and password are removed, because results are logged and shown.
function withoutUserInfo(input: URL | string): string {
  const url = URL.parse(String(input));
  if (url === null) return String(input);
  url.username = '';
  url.password = '';
  return url.href;
}

// One request on the way of a fetch: it waits for the gate of its host, is checked by the guard, and is sent.

async function politeHop(client: FetchClient, order: PreparedRequest, trip: FetchTrip): Promise<Exchange> {
  const { gate } = client;
  const leave = gate && order.polite !== false ? await gate.enter(trip.url.host, order.signal) : () => {};
  if (leave === null) return unsent(ABORTED);
  const started = client.timers.now();
  try {
    return await hop(client, order, trip);
  } finally {
    trip.leftMs -= client.timers.now() - started;
    leave();
  }
}

async function hop(
  client: FetchClient,
  { method = 'GET', ...order }: PreparedRequest,
  trip: FetchTrip,
): Promise<Exchange> {
  const { rules, body, signal, userAgent = client.userAgent, poolKey } = order;
  const started = client.timers.now();
  if (signal?.aborted) return unsent(ABORTED);
  const proxy = client.proxyFor?.(trip.url.href) ?? null;
  const verdict = await client.guard(trip.url, rules, trip.leftMs, proxy !== null);
  if (!verdict.ok && verdict.reason === 'unresolved') {
    return unsent({ failure: 'unreachable', code: 'dns_error', detail: verdict.detail });
  }
  if (!verdict.ok) return unsent(refused(verdict.reason));
  const leftMs = trip.leftMs - (client.timers.now() - started);
  if (leftMs <= 0) return unsent(timedOut('total', rules.limits.totalMs));

  trip.requests += 1;
  const skipsBody = (status: number) => follows({ method, rules }, status);
  const message = { method, headers: trip.headers, userAgent, body, skipsBody };
  const { timers, dial, ca, connections } = client;
  const pool = poolKey === undefined ? undefined : { connections, key: `${poolKey} ${trip.url.origin}` };
  const exchange = await sendRequest(verdict.target, message, { timers, dial, ca, signal, leftMs, rules, pool, proxy });
  trip.bytes += exchange.received;
  return exchange;
}

function refused(code: Extract<RequestFailure, { failure: 'refused' }>['code']): RequestFailure {
  return { failure: 'refused', code, detail: `target refused: ${code}` };
}

function unsent(failure: RequestFailure): Exchange {
  return { ok: false, failure, status: null, received: 0 };
}

// Redirects: which are followed, where they lead, and what goes along.

const FOLLOWED = new Set([301, 302, 303, 307, 308]);

function isRedirect(status: number): boolean {
  return FOLLOWED.has(status);
}

type NextHop = { ok: true; url: URL } | { ok: false; failure: RequestFailure };

interface RedirectAnswer {
  from: URL;
  headers: HeaderRecord;
  followed: readonly Redirect[];
  max: number;
}

// Where a redirect leads, or why it is not followed. Whether the new target may be contacted is the guard's to say.
function nextHop({ from, headers, followed, max }: RedirectAnswer): NextHop {
  if (followed.length >= max) return refuse('too_many', `more than ${max} redirects`);
  const url = URL.parse(utf8(headers.location ?? ''), from.href);
  if (url === null || headers.location === undefined)
    return refuse('bad_location', 'redirect without a usable location');
  url.hash = '';
  if (from.protocol === 'https:' && url.protocol === 'http:') return refuse('downgrade', 'redirect from https to http');
  const seen = url.href === from.href || followed.some((redirect) => redirect.from === url.href);
  return seen ? refuse('loop', 'redirect in a circle') : { ok: true, url };
}

// Header bytes arrive as Latin-1; many servers write UTF-8 into a location.
function utf8(text: string): string {
  const decoded = Buffer.from(text, 'latin1').toString('utf8');
  return decoded.includes('\ufffd') ? text : decoded;
}

function refuse(code: Extract<RequestFailure, { failure: 'redirect' }>['code'], detail: string): NextHop {
  return { ok: false, failure: { failure: 'redirect', code, detail } };
}

// Moves the trip to the next hop, or returns why it ends.
async function redirect(
  order: PreparedRequest,
  trip: FetchTrip,
  exchange: Exchange & { ok: true },
): Promise<RequestFailure | null> {
  const from = trip.url;
  const next = nextHop({
    from,
    headers: exchange.headers,
    followed: trip.redirects,
    max: order.rules.limits.maxRedirects,
  });
  if (!next.ok) return next.failure;
  if (order.mayRedirect && !(await order.mayRedirect(from, next.url))) {
    return { failure: 'redirect', code: 'unwanted', detail: 'redirect to an address that is not wanted' };
  }
  if (next.url.origin !== from.origin) trip.headers = withoutCredentials(trip.headers);
  trip.redirects.push({ status: exchange.status, from: from.href, to: next.url.href });
  trip.url = next.url;
  return null;
}

// The answer itself is the result when redirects are off, or when a body would have to be sent again.
function follows({ method, rules }: Pick<PreparedRequest, 'method' | 'rules'>, status: number): boolean {
  return isRedirect(status) && rules.limits.maxRedirects > 0 && method !== 'POST';
}
