// The guarded fetch: every byte that leaves the service goes through a `GuardedFetch`.
import { retryAfterMs } from '../domain/net/retry-after.ts';
import { createConnectionPool } from './connection-pool.ts';
import { createGuard } from './guard.ts';
import { callerHeaders } from './headers.ts';
import { politeHop, refused } from './hop.ts';
import { loopTimers } from './loop-timers.ts';
import { follows, redirect } from './redirects.ts';
import type { Exchange } from './request.ts';
import { createResolve } from './resolve.ts';
import { ABORTED, type FetchFailure, type FetchResult, type RequestFailure } from './result.ts';
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
