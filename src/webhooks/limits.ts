// How often webhooks may be changed, tested and replayed, counted over all processes.
import { consumeSharedLimit } from '../accounts/limits.ts';
import type { Context } from '../context.ts';
import { ApiError } from '../contract/errors.ts';

const MINUTE = 60;
const HOUR = 3600;

const LIMITS = {
  'webhook-changes': { limit: 60, windowSeconds: HOUR },
  'webhook-tests': { limit: 5, windowSeconds: MINUTE },
  'webhook-tests-account': { limit: 20, windowSeconds: MINUTE },
  'webhook-replays': { limit: 30, windowSeconds: MINUTE },
  'webhook-range-replays': { limit: 6, windowSeconds: HOUR },
} as const;

type LimitName = keyof typeof LIMITS;

export function takeChange(ctx: Context, userId: string): Promise<void> {
  return take(ctx, 'webhook-changes', userId);
}

// A refused test does not use up the limit of the account's other subscriptions.
export async function takeTest(ctx: Context, { id, userId }: { id: string; userId: string }): Promise<void> {
  await take(ctx, 'webhook-tests', id);
  await take(ctx, 'webhook-tests-account', userId);
}

export function takeReplay(ctx: Context, id: string): Promise<void> {
  return take(ctx, 'webhook-replays', id);
}

export function takeRangeReplay(ctx: Context, id: string): Promise<void> {
  return take(ctx, 'webhook-range-replays', id);
}

async function take(ctx: Context, policy: LimitName, who: string): Promise<void> {
  if (ctx.caller.kind === 'root' || ctx.caller.kind === 'system') return;
  const { limit, windowSeconds } = LIMITS[policy];
  const { allowed, left, seconds } = await consumeSharedLimit(ctx, { key: `${policy}:${who}`, limit, windowSeconds });
  if (allowed) return;
  throw new ApiError(
    'rate_limited',
    `more than ${limit} calls in ${windowSeconds} s; try again in ${seconds} s`,
    { policy, limit },
    {
      'Retry-After': String(seconds),
      'RateLimit-Policy': `"${policy}";q=${limit};w=${windowSeconds}`,
      RateLimit: `"${policy}";r=${left};t=${seconds}`,
    },
  );
}
