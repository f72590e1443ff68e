// The headers that report rate limits, and the error of an exhausted one.
import { ApiError } from '../../contract/errors.ts';
import type { HttpExchange } from './exchange.ts';

export const WINDOW_SECONDS = 60;

export interface LimitReport {
  policy: string;
  quota: number;
  left: number;
  seconds: number;
  // The length of the window; a minute by default.
  windowSeconds?: number;
}

// Writes the limits that a request counted against into the headers of its response, and throws at the first exhausted
// one. The API reports all of them, sign-in only the last.
export type Settlement = (allowance: (LimitReport & { allowed: boolean }) | null) => void;

export function createSettlement(response: HttpExchange['response'], { showsAll }: { showsAll: boolean }): Settlement {
  let reports: LimitReport[] = [];
  return (allowance) => {
    if (!allowance) return;
    reports = showsAll ? [...reports, allowance] : [allowance];
    for (const [name, value] of limitHeaders(reports)) response.setHeader(name, value);
    if (!allowance.allowed) throw rateLimited(allowance);
  };
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
