// When a source is fetched again: its tier sets the interval, and the last outcomes can only lengthen it.
import { MAX_WAIT_MS } from '../net/rate-limit.ts';
import { type FetchCounters, type FetchOutcome, wasRead } from './outcome.ts';

const HOUR_MS = 3_600_000;
const MAX_HOURS_UNCHANGED = 48;
const MAX_HOURS_FAILING = 72;
const HOURS_WITHOUT_MODEL = 24;
const HOURS_PER_GAP_DAY = 3;
const JITTER = 0.1;

// The polling interval of each priority, as configured.
export interface PollHours {
  normal: number;
  low: number;
}

// The polling interval of a priority; null for a paused source, which is never due.
export function tierMs(priority: string, hours: PollHours): number | null {
  return priority === 'normal' || priority === 'low' ? hours[priority] * HOUR_MS : null;
}

// The time of the first fetch of a source that was created with the request not to fetch it at once.
export function delayedFirstFetch({ at, pollHours }: { at: string; pollHours: PollHours }): string {
  return new Date(Date.parse(at) + pollHours.normal * HOUR_MS).toISOString();
}

interface FinishedRun {
  outcome: FetchOutcome;
  at: string;
  // The counters after this run.
  counters: FetchCounters;
  priority: string;
  medianGapDays: number | null;
  retryAfterSeconds?: number;
  pollHours: PollHours;
}

// The earliest time of the next fetch that the outcome asks for; null when the tier alone decides.
export function nextFetchAfter(run: FinishedRun): string | null {
  const wait = waitMs(run);
  return wait === null ? null : new Date(Date.parse(run.at) + wait).toISOString();
}

function waitMs(run: FinishedRun): number | null {
  const { outcome, counters, medianGapDays, retryAfterSeconds = 0 } = run;
  if (outcome === 'success') return null;
  if (outcome === 'model_not_configured') return HOURS_WITHOUT_MODEL * HOUR_MS;
  if (wasRead(outcome)) {
    const wait = doubled(counters.noChange, MAX_HOURS_UNCHANGED);
    if (medianGapDays === null) return wait;
    // The interval is bounded, so that a source that publishes every few days is still polled between two releases.
    const tier = tierMs(run.priority, run.pollHours) ?? 0;
    return Math.min(wait, Math.max(tier, medianGapDays * HOURS_PER_GAP_DAY * HOUR_MS));
  }
  const wait = doubled(counters.errors, MAX_HOURS_FAILING);
  if (outcome !== 'throttled') return wait;
  return Math.max(wait, Math.min(retryAfterSeconds * 1000, MAX_WAIT_MS));
}

function doubled(times: number, mostHours: number): number {
  return Math.min(2 ** (Math.max(times, 1) - 1), mostHours) * HOUR_MS;
}

interface Schedule {
  priority: string;
  lastPolledAt: string | null;
  nextFetchAfter: string | null;
  pollHours: PollHours;
}

export const AT_ONCE = '1970-01-01T00:00:00.000Z';

// When the source is due, before jitter; null when it never is.
export function dueAt({ priority, lastPolledAt, nextFetchAfter: notBefore, pollHours }: Schedule): string | null {
  const tier = tierMs(priority, pollHours);
  if (tier === null) return null;
  if (lastPolledAt === null) return notBefore ?? AT_ONCE;
  const byTier = new Date(Date.parse(lastPolledAt) + tier).toISOString();
  return notBefore !== null && notBefore > byTier ? notBefore : byTier;
}

// Moves a fetch by up to a tenth of the interval, so that sources do not all fall due at once. The same source and run
// always get the same jitter.
export function jitterMs(input: { sourceId: string; run: number | string; intervalMs: number }): number {
  const share = hash(`${input.sourceId} ${input.run}`) / 0xffff_ffff;
  return Math.round((share * 2 - 1) * JITTER * input.intervalMs);
}

// FNV-1a with a final mix, because neighbouring run numbers must not give neighbouring values.
function hash(text: string): number {
  let value = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193);
  }
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
