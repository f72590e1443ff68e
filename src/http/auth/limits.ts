// Limits of sign-in, counted over all processes.
import { consumeSharedLimit } from '../../accounts/limits.ts';
import type { Context } from '../../context.ts';
import type { Exchange } from '../kernel/exchange.ts';
import { type LimitReport, limitHeaders, rateLimited } from '../kernel/limits.ts';

interface AuthLimit {
  policy: string;
  limit: number;
  windowSeconds: number;
}

export const EVERY_POST: AuthLimit = { policy: 'auth', limit: 30, windowSeconds: 60 };
export const REGISTRATION: readonly AuthLimit[] = [
  { policy: 'registration', limit: 5, windowSeconds: 60 },
  { policy: 'registration-daily', limit: 50, windowSeconds: 86_400 },
];
export const DEVICE_CODE: AuthLimit = { policy: 'device-code', limit: 10, windowSeconds: 60 };
export const USER_CODE: AuthLimit = { policy: 'user-code', limit: 10, windowSeconds: 60 };
export const WRONG_PASSWORD: AuthLimit = { policy: 'sign-in', limit: 5, windowSeconds: 900 };
export const OPERATOR_SIGN_IN: AuthLimit = { policy: 'operator', limit: 10, windowSeconds: 600 };

// Throws when the caller has used up what it has.
export async function takeByAddress(ctx: Context, exchange: Exchange, limits: readonly AuthLimit[]): Promise<void> {
  if (exchange.client.exempt) return;
  for (const limit of limits) await take(ctx, exchange, limit, `ip:${exchange.client.key}`);
}

export async function take(ctx: Context, exchange: Exchange, limit: AuthLimit, who: string): Promise<void> {
  const { policy, limit: quota, windowSeconds } = limit;
  const allowance = await consumeSharedLimit(ctx, { key: `${policy}:${who}`, limit: quota, windowSeconds });
  const report: LimitReport = { policy, quota, windowSeconds, left: allowance.left, seconds: allowance.seconds };
  for (const [name, value] of limitHeaders([report])) exchange.response.setHeader(name, value);
  if (!allowance.allowed) throw rateLimited(report);
}
