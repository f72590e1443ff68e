// Which limits a request falls under, and what it is told about them.
import { consumeSharedLimit } from '../accounts/limits.ts';
import type { Context } from '../context.ts';
import type { Caller } from '../contract/caller.ts';
import { ApiError } from '../contract/errors.ts';
import type { ClientAddress } from './client-address.ts';
import { type Allowance, WindowCounter } from './rate-limit.ts';
import type { LimiterName } from './route.ts';

const WINDOW_SECONDS = 60;

const LIMITERS = {
  lookups: { limit: 10, key: 'caller' },
  feedback: { limit: 5, key: 'address' },
  outbound: { limit: 30, key: 'token' },
} as const satisfies Record<LimiterName, { limit: number; key: 'caller' | 'address' | 'token' }>;

export interface LimitReport {
  policy: string;
  quota: number;
  left: number;
  seconds: number;
}

export interface Tiers {
  // Null: no tier applies to this caller.
  take(caller: Pick<Caller, 'kind' | 'tokenId'>, client: ClientAddress): (Allowance & LimitReport) | null;
}

export function createTiers(ctx: Pick<Context, 'clock' | 'config'>): Tiers {
  const counter = new WindowCounter(WINDOW_SECONDS);
  const { rates } = ctx.config;
  return {
    take(caller, client) {
      if (client.exempt || caller.kind === 'root' || caller.kind === 'system') return null;
      const policy = caller.kind === 'anonymous' ? 'public' : 'token';
      const quota = rates[policy];
      if (quota === 0) return null;
      const key = caller.kind === 'anonymous' ? client.key : `token:${caller.tokenId}`;
      return { policy, quota, ...counter.take(key, quota, ctx.clock().getTime()) };
    },
  };
}

// `path` keeps apart the routes that share a limiter's value but not its count.
export async function takeLimiter(
  ctx: Context,
  input: { limiter: LimiterName; path: string; caller: Caller; client: ClientAddress },
): Promise<(Allowance & LimitReport) | null> {
  const { limiter, path, caller, client } = input;
  const { limit, key } = LIMITERS[limiter];
  if (caller.kind === 'root' || caller.kind === 'system') return null;
  const byToken = key !== 'address' && caller.tokenId !== null;
  if (!byToken && (key === 'token' || client.exempt)) return null;
  const who = byToken ? `token:${caller.tokenId}` : `ip:${client.key}`;
  const what = limiter === 'feedback' ? `${limiter}:${path}` : limiter;
  const allowance = await consumeSharedLimit(ctx, { key: `${what}:${who}`, limit, windowSeconds: WINDOW_SECONDS });
  return { policy: limiter, quota: limit, ...allowance };
}

export function limitHeaders(reports: readonly LimitReport[]): [string, string][] {
  if (reports.length === 0) return [];
  return [
    ['RateLimit-Policy', reports.map(({ policy, quota }) => `"${policy}";q=${quota};w=${WINDOW_SECONDS}`).join(', ')],
    ['RateLimit', reports.map(({ policy, left, seconds }) => `"${policy}";r=${left};t=${seconds}`).join(', ')],
  ];
}

export function rateLimited(report: LimitReport): ApiError {
  return new ApiError(
    'rate_limited',
    `more than ${report.quota} requests in ${WINDOW_SECONDS} s; try again in ${report.seconds} s`,
    { policy: report.policy, limit: report.quota },
    { 'Retry-After': String(report.seconds) },
  );
}
