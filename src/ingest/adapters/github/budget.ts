// The hourly quota of an API, from its rate limit headers.
import { readRateLimit } from '../../../domain/net/rate-limit.ts';
import type { Budget } from '../contract.ts';

const RESERVE_SHARE = 0.05;
const MIN_RESERVE = 10;

// Null for an answer without rate limit headers.
export function readBudget(
  headers: Readonly<Record<string, string>>,
  holder: Pick<Budget, 'host' | 'tokenFingerprint'>,
  now: Date,
): Budget | null {
  const { limit, remaining, resetAt } = readRateLimit(headers, now);
  if (limit === null && remaining === null) return null;
  return { ...holder, limit, remaining, resetAt: resetAt?.toISOString() ?? null };
}

// True when the rest of the quota is reserved for calls that people wait for, until the reset.
export function isBudgetLow({ limit, remaining, resetAt }: Budget, now: Date): boolean {
  if (remaining === null || (resetAt !== null && Date.parse(resetAt) <= now.getTime())) return false;
  return remaining <= Math.max(MIN_RESERVE, Math.floor((limit ?? 0) * RESERVE_SHARE));
}
