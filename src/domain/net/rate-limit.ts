// Rate limit headers, in GitHub's spelling and similar ones.
import { retryAfterMs } from './retry-after.ts';

interface RateLimit {
  limit: number | null;
  remaining: number | null;
  resetAt: Date | null;
}

export interface HttpAnswer {
  status: number;
  // Header names are in lower case.
  headers: Readonly<Record<string, string>>;
  // The beginning of the body is enough.
  text?: string;
}

const MESSAGE = /\brate.?limit|\babuse detection|\btoo many requests|\bquota exceeded/i;
const MESSAGE_WINDOW = 2000;
// A smaller reset value is a number of seconds from now, a larger one a Unix time.
const FIRST_EPOCH = 1_000_000_000;

// A server may ask to be left alone for a day, not for decades.
export const MAX_WAIT_MS = 24 * 3_600_000;

export function cappedWait(until: Date, now: Date): Date {
  return new Date(Math.min(until.getTime(), now.getTime() + MAX_WAIT_MS));
}

// The quota that the headers report, whether it is used up or not.
export function readRateLimit(headers: HttpAnswer['headers'], now: Date): RateLimit {
  const reset = numberOf(headers, 'reset');
  return {
    limit: numberOf(headers, 'limit'),
    remaining: numberOf(headers, 'remaining'),
    resetAt: reset === null ? null : resetDate(reset, now),
  };
}

// Whether the server limits the rate of requests: by 429, by 403 with a sign of a limit, or by 503 with a time to retry.
export function isThrottled({ status, headers, text = '' }: HttpAnswer, now: Date): boolean {
  if (status === 429) return true;
  const wait = retryAfterMs(headers['retry-after'], now);
  if (status === 503) return wait !== null;
  if (status !== 403) return false;
  return wait !== null || numberOf(headers, 'remaining') === 0 || MESSAGE.test(text.slice(0, MESSAGE_WINDOW));
}

// The time before which the server wants no further request, at most a day ahead: `Retry-After`, else the reset of a used-up
// quota.
export function retryAt({ headers }: Pick<HttpAnswer, 'headers'>, now: Date): Date | null {
  const wait = retryAfterMs(headers['retry-after'], now);
  if (wait !== null) return cappedWait(new Date(now.getTime() + wait), now);
  const { remaining, resetAt } = readRateLimit(headers, now);
  return remaining === 0 && resetAt !== null && resetAt > now ? resetAt : null;
}

function numberOf(headers: HttpAnswer['headers'], name: string): number | null {
  const text = headers[`x-ratelimit-${name}`] ?? headers[`ratelimit-${name}`] ?? '';
  return /^\d{1,12}$/.test(text.trim()) ? Number(text) : null;
}

function resetDate(value: number, now: Date): Date {
  return cappedWait(new Date(value < FIRST_EPOCH ? now.getTime() + value * 1000 : value * 1000), now);
}
