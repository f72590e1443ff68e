// Maps answers and failures of servers to outcomes of a fetch. All adapters use it, so that one failure has one name whatever
// the source type.

import type { FetchOutcome } from '../../domain/fetching/outcome.ts';
import { isChallengePage } from '../../domain/net/challenge.ts';
import { isThrottled, retryAt } from '../../domain/net/rate-limit.ts';
import type { FetchFailure, FetchResult, FetchSuccess } from '../../net/result.ts';
import type { RobotsVerdict } from '../../net/robots-cache.ts';
import { TaskOutOfMemory, type TaskStopped } from '../../threads/task.ts';

export interface Failure {
  outcome: Exclude<FetchOutcome, 'success' | 'no_change'>;
  // The detail alone; the log row puts the outcome before it.
  detail: string;
  httpStatus: number | null;
  retryAt: string | null;
}

const UTF8 = new TextDecoder();
// Challenge pages are shorter than this; see `domain/net/challenge.ts`.
const MAX_CHALLENGE = 1024 * 1024;
// Of a longer body, the part that may speak of a rate limit.
const BEGINNING = 64 * 1024;

// Null when the answer can be read: 2xx, or 304, which the caller must have asked for.
export function fetchFailureOf(result: FetchResult, now: Date): Failure | null {
  return result.ok ? statusOutcome(result, now) : failureOutcome(result);
}

// The answer when it can be read, else the failure; only failures have an `outcome`.
export function readableAnswer(result: FetchResult, now: Date): FetchSuccess | Failure {
  if (!result.ok) return failureOutcome(result);
  return statusOutcome(result, now) ?? result;
}

export function failureOutcome(failure: FetchFailure): Failure {
  return { ...failureVerdict(failure), httpStatus: failure.status, retryAt: null };
}

function failureVerdict({ failure, code, detail }: FetchFailure): Pick<Failure, 'outcome' | 'detail'> {
  switch (failure) {
    case 'timeout':
      return { outcome: 'timeout', detail };
    case 'unreachable':
      return { outcome: 'unreachable', detail: `${code}: ${detail}` };
    case 'too_large':
      return { outcome: 'malformed', detail: `too_large: ${detail}` };
    case 'malformed_encoding':
    case 'malformed_answer':
      return { outcome: 'malformed', detail: `${code}: ${detail}` };
    // These failures say nothing about the source: our own rules, an abort, or a broken chain of redirects.
    case 'refused':
    case 'redirect':
    case 'aborted':
      return { outcome: 'error', detail };
  }
}

// A challenge page is blocked under every status: such pages often answer 200 or 503.
export function statusOutcome(answer: FetchSuccess, now: Date): Failure | null {
  const { status, headers, body } = answer;
  if (status === 304) return null;
  const failure = (outcome: Failure['outcome'], detail = `http ${status}`): Failure => {
    const wait = outcome === 'throttled' ? retryAt({ headers }, now) : null;
    return { outcome, detail, httpStatus: status, retryAt: wait?.toISOString() ?? null };
  };
  const isShort = body.length <= MAX_CHALLENGE;
  const text = UTF8.decode(isShort ? body : body.subarray(0, BEGINNING));
  if (isThrottled({ status, headers, text }, now)) return failure('throttled');
  if (isShort && isChallengePage({ headers, text })) return failure('blocked', `challenge page, http ${status}`);
  if (status >= 200 && status < 300) return null;
  if (status === 404 || status === 410) return failure('gone');
  if (status === 401 || status === 403 || status === 451) return failure('blocked');
  return failure(status >= 500 ? 'unreachable' : 'error');
}

// Reading a document took too much processor time or memory and was stopped. `kind` names the job, where it is no fetch.
export function stoppedParsing(error: TaskStopped, kind?: string): Pick<Failure, 'outcome' | 'detail'> {
  const job = kind === undefined ? '' : ` (${kind})`;
  return error instanceof TaskOutOfMemory
    ? { outcome: 'malformed', detail: `parse_memory${job}: ${error.message}` }
    : { outcome: 'timeout', detail: `parse_timeout${job}: ${error.message}` };
}

// True when a later request may succeed. Any other answer is final for that page.
export function mayPass({ outcome, httpStatus }: Failure): boolean {
  return outcome === 'throttled' || outcome === 'timeout' || (outcome === 'unreachable' && httpStatus === null);
}

// A rule of a robots.txt that was read forbids the page.
export const ROBOTS: Failure = { outcome: 'blocked', detail: 'robots', httpStatus: null, retryAt: null };

// The failure that robots.txt means for a page. A file that cannot be read is an outage and no ban.
export function robotsFailure({ allowed, because, failure }: RobotsVerdict): Failure | null {
  if (allowed) return null;
  if (because === 'rules') return ROBOTS;
  if (failure?.kind === 'request') return failureOutcome(failure.failure);
  const detail = failure === undefined ? 'robots.txt could not be read' : `robots.txt answered http ${failure.status}`;
  return { outcome: 'unreachable', detail, httpStatus: failure?.status ?? null, retryAt: null };
}

// A valid but empty listing: normal for a source that never had a release, else a failure.
export function emptyListing(known: { count: number }): {
  outcome: 'no_change' | 'empty';
  detail: string | null;
} {
  return known.count === 0
    ? { outcome: 'no_change', detail: null }
    : { outcome: 'empty', detail: 'no entries in a valid document' };
}
