// The rate limits of a request.
import { consumeSharedLimit } from '../../accounts/limits.ts';
import type { Context } from '../../context.ts';
import type { Caller } from '../../contract/caller.ts';
import { ApiError } from '../../contract/errors.ts';
import type { ClientAddress } from './caller.ts';
import type { HttpExchange } from './kernel.ts';

const DAY_SECONDS = 86_400;

// A limit that is counted across all processes.
export interface LimitPolicy {
  policy: string;
  limit: number;
  windowSeconds: number;
}

interface Limiter {
  limit: number;
  windowSeconds?: number;
  // The subject of the count: a caller, an address, a token, or an account.
  by: 'caller' | 'address' | 'token' | 'account';
}

// Limits besides the tiers, by the name of their policy.
const LIMITERS = {
  lookups: { limit: 10, by: 'caller' },
  feedback: { limit: 5, by: 'address' },
  outbound: { limit: 30, by: 'token' },
  'project-files': { limit: 20, by: 'address' },
  auth: { limit: 30, by: 'address' },
  registration: { limit: 5, by: 'address' },
  'registration-daily': { limit: 50, windowSeconds: DAY_SECONDS, by: 'address' },
  'device-code': { limit: 10, by: 'address' },
  'user-code': { limit: 10, by: 'account' },
  // All stacks of an account, once.
  stacks: { limit: 20, by: 'account' },
} as const satisfies Record<string, Limiter>;

export type LimiterName = keyof typeof LIMITERS;

export interface RateTiers {
  // Null when no tier applies to the caller.
  take(
    caller: Pick<Caller, 'kind' | 'tokenId' | 'account'>,
    client: ClientAddress,
    reads?: number,
  ): (Allowance & LimitReport) | null;
  // For a read that turned out to cost nothing.
  giveBack(caller: Pick<Caller, 'kind' | 'tokenId' | 'account'>, client: ClientAddress): void;
}

export function createTiers(ctx: Pick<Context, 'clock' | 'config'>): RateTiers {
  const counter = new WindowCounter(WINDOW_SECONDS);
  const { rates } = ctx.config;
  return {
    take(caller, client, reads) {
      if (client.exempt || caller.kind === 'root' || caller.kind === 'system') return null;
      const policy = caller.kind === 'anonymous' ? 'public' : caller.account ? 'account' : 'token';
      const quota = rates[policy];
      if (quota === 0) return null;
      return { policy, quota, ...counter.take(keyOf(caller, client), quota, ctx.clock().getTime(), reads) };
    },
    giveBack: (caller, client) => counter.giveBack(keyOf(caller, client), ctx.clock().getTime()),
  };
}

function keyOf(caller: Pick<Caller, 'kind' | 'tokenId' | 'account'>, client: ClientAddress): string {
  return caller.kind === 'anonymous' ? client.key : ownerKey(caller);
}

// All credentials of an account count together.
function ownerKey({ account, tokenId }: Pick<Caller, 'tokenId' | 'account'>): string {
  return account ? `account:${account.userId}` : `token:${tokenId}`;
}

// Counts the reads of a call beyond its first one, once its body is known.
export function takeFurtherReads(
  tiers: RateTiers,
  { caller, exchange, reads }: { caller: Caller; exchange: HttpExchange; reads: number },
): void {
  const report = reads > 0 ? tiers.take(caller, exchange.client, reads) : null;
  if (!report) return;
  for (const [name, value] of limitHeaders([report])) exchange.response.setHeader(name, value);
  if (!report.allowed) throw rateLimited(report);
}

// A client that has the current version costs nothing, and its answer reports no limit.
export function giveBackRead(tiers: RateTiers, { caller, exchange }: { caller: Caller; exchange: HttpExchange }): void {
  tiers.giveBack(caller, exchange.client);
  for (const name of ['RateLimit', 'RateLimit-Policy']) exchange.response.removeHeader(name);
}

export function limitPolicy(limiter: LimiterName): LimitPolicy {
  const { limit, windowSeconds = WINDOW_SECONDS }: Limiter = LIMITERS[limiter];
  return { policy: limiter, limit, windowSeconds };
}

// The routes of the limiter `feedback` count separately, by `path`.
export async function takeLimiter(
  ctx: Context,
  input: { limiter: LimiterName; path: string; caller: Caller; client: ClientAddress },
): Promise<(Allowance & LimitReport) | null> {
  const { limiter, path, caller, client } = input;
  const { by }: Limiter = LIMITERS[limiter];
  if (caller.kind === 'root' || caller.kind === 'system') return null;
  const byOwner = isOwned(by, caller);
  if (!byOwner && (by === 'token' || by === 'account' || client.exempt)) return null;
  const subject = byOwner ? ownerKey(caller) : addressKeyOf(client);
  const scope = limiter === 'feedback' ? `${limiter}:${path}` : limiter;
  return takeShared(ctx, limitPolicy(limiter), `${scope}:${subject}`);
}

function isOwned(by: Limiter['by'], { account, tokenId }: Caller): boolean {
  if (by === 'address') return false;
  if (by === 'account') return account !== undefined;
  return tokenId !== null || (by === 'caller' && account !== undefined);
}

export async function takeShared(
  ctx: Context,
  { policy, limit, windowSeconds }: LimitPolicy,
  key: string,
): Promise<Allowance & LimitReport> {
  const allowance = await consumeSharedLimit(ctx, { key, limit, windowSeconds });
  return { policy, quota: limit, windowSeconds, ...allowance };
}

export function addressKeyOf({ key }: ClientAddress): string {
  return `ip:${key}`;
}

// Counts requests per key and window in the memory of this process.

interface Allowance {
  allowed: boolean;
  left: number;
  // The seconds until the window ends, rounded up.
  seconds: number;
}

interface RateWindow {
  count: number;
  endsAt: number;
}

// The limit is far above the callers of one process in a minute; beyond it the oldest windows are dropped.
const MAX_KEYS = 200_000;

class WindowCounter {
  readonly #windowMs: number;
  readonly #windows = new Map<string, RateWindow>();
  #nextSweep = 0;

  constructor(windowSeconds: number) {
    this.#windowMs = windowSeconds * 1000;
  }

  // A refused request is not counted. `cost` is the number of requests that it counts as.
  take(key: string, quota: number, now: number, cost = 1): Allowance {
    this.#sweep(now);
    let window = this.#windows.get(key);
    if (window === undefined || window.endsAt <= now) {
      window = { count: 0, endsAt: now + this.#windowMs };
      this.#windows.delete(key);
      this.#windows.set(key, window);
    }
    const allowed = window.count + cost <= quota;
    if (allowed) window.count += cost;
    return { allowed, left: quota - window.count, seconds: Math.ceil((window.endsAt - now) / 1000) };
  }

  giveBack(key: string, now: number): void {
    const window = this.#windows.get(key);
    if (window !== undefined && window.endsAt > now && window.count > 0) window.count -= 1;
  }

  // Windows are in the order of their ends, so the first open one ends the sweep.
  #sweep(now: number): void {
    if (now < this.#nextSweep && this.#windows.size < MAX_KEYS) return;
    this.#nextSweep = now + this.#windowMs;
    for (const [key, window] of this.#windows) {
      if (window.endsAt > now && this.#windows.size < MAX_KEYS) break;
      this.#windows.delete(key);
    }
  }
}

// The headers that report rate limits, and the error of an exhausted one.

const WINDOW_SECONDS = 60;

export interface LimitReport {
  policy: string;
  quota: number;
  left: number;
  seconds: number;
  // The length of the window; a minute by default.
  windowSeconds?: number;
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
