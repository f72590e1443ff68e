// Which limits a request falls under, and what it is told about them.
import { consumeSharedLimit } from '../../accounts/limits.ts';
import type { Context } from '../../context.ts';
import type { Caller } from '../../contract/caller.ts';
import { ApiError } from '../../contract/errors.ts';
import type { ClientAddress } from './client-address.ts';
import type { Exchange } from './exchange.ts';
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
  // Of the window; a minute unless it is said.
  windowSeconds?: number;
}

export interface Tiers {
  // Null: no tier applies to this caller.
  take(
    caller: Pick<Caller, 'kind' | 'tokenId' | 'account'>,
    client: ClientAddress,
    reads?: number,
  ): (Allowance & LimitReport) | null;
}

export function createTiers(ctx: Pick<Context, 'clock' | 'config'>): Tiers {
  const counter = new WindowCounter(WINDOW_SECONDS);
  const { rates } = ctx.config;
  return {
    take(caller, client, reads) {
      if (client.exempt || caller.kind === 'root' || caller.kind === 'system') return null;
      const policy = caller.kind === 'anonymous' ? 'public' : caller.account ? 'account' : 'token';
      const quota = rates[policy];
      if (quota === 0) return null;
      const key = caller.kind === 'anonymous' ? client.key : ownerKey(caller);
      return { policy, quota, ...counter.take(key, quota, ctx.clock().getTime(), reads) };
    },
  };
}

// All credentials of an account count together.
function ownerKey({ account, tokenId }: Pick<Caller, 'tokenId' | 'account'>): string {
  return account ? `account:${account.userId}` : `token:${tokenId}`;
}

// Tells a response of every limit that it counted for, and refuses by the first one that is used up.
export function createSettlement(response: Exchange['response']) {
  const reports: LimitReport[] = [];
  return (allowance: (LimitReport & { allowed: boolean }) | null): void => {
    if (!allowance) return;
    reports.push(allowance);
    for (const [name, value] of limitHeaders(reports)) response.setHeader(name, value);
    if (!allowance.allowed) throw rateLimited(allowance);
  };
}

// What a call counts as beyond its first read, once its body has told it.
export function takeFurtherReads(tiers: Tiers, caller: Caller, { client, response }: Exchange, reads: number): void {
  const report = reads > 0 ? tiers.take(caller, client, reads) : null;
  if (!report) return;
  for (const [name, value] of limitHeaders([report])) response.setHeader(name, value);
  if (!report.allowed) throw rateLimited(report);
}

// `path` keeps apart the routes that share a limiter's value but not its count.
export async function takeLimiter(
  ctx: Context,
  input: { limiter: LimiterName; path: string; caller: Caller; client: ClientAddress },
): Promise<(Allowance & LimitReport) | null> {
  const { limiter, path, caller, client } = input;
  const { limit, key } = LIMITERS[limiter];
  if (caller.kind === 'root' || caller.kind === 'system') return null;
  const byOwner = key !== 'address' && (caller.tokenId !== null || (key === 'caller' && caller.account !== undefined));
  if (!byOwner && (key === 'token' || client.exempt)) return null;
  const who = byOwner ? ownerKey(caller) : `ip:${client.key}`;
  const what = limiter === 'feedback' ? `${limiter}:${path}` : limiter;
  const allowance = await consumeSharedLimit(ctx, { key: `${what}:${who}`, limit, windowSeconds: WINDOW_SECONDS });
  return { policy: limiter, quota: limit, ...allowance };
}

export function limitHeaders(reports: readonly LimitReport[]): [string, string][] {
  if (reports.length === 0) return [];
  return [
    [
      'RateLimit-Policy',
      reports.map((report) => `"${report.policy}";q=${report.quota};w=${windowOf(report)}`).join(', '),
    ],
    ['RateLimit', reports.map(({ policy, left, seconds }) => `"${policy}";r=${left};t=${seconds}`).join(', ')],
  ];
}

export function rateLimited(report: LimitReport): ApiError {
  return new ApiError(
    'rate_limited',
    `more than ${report.quota} requests in ${windowOf(report)} s; try again in ${report.seconds} s`,
    { policy: report.policy, limit: report.quota },
    { 'Retry-After': String(report.seconds) },
  );
}

function windowOf({ windowSeconds = WINDOW_SECONDS }: LimitReport): number {
  return windowSeconds;
}
