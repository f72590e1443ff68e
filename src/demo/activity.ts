import type { SourceType } from '../contract/enums.ts';
import type { Random } from './random.ts';
import { iso, type SourceDraft } from './sources.ts';
import { DAY_MS } from './timeline.ts';
import type { DemoFetchLogRow, DemoSource } from './types.ts';

const LOG_DAYS = 14;
const HOUR_MS = 3_600_000;

// Two weeks of polling: what came in, what had nothing new, and how the unlucky sources failed.
export function writeActivity(random: Random, draft: SourceDraft, today: number): void {
  const { source, cast } = draft;
  if (cast.health === 'never_fetched') return;
  const isPaused = source.fetchPriority === 'paused';
  const lastPoll = today - (isPaused ? 40 * DAY_MS : random.int(5, 300) * 60_000);

  const log = isPaused ? [] : pollLog(random, source, today, lastPoll);
  if (cast.health === 'failing') failSince(random, source, log, today - 6 * DAY_MS);
  source.fetchLog = log.sort((a, b) => (a.createdAt < b.createdAt ? -1 : 1));

  const read = source.fetchLog.filter((row) => row.status === 'success' || row.status === 'no_change');
  const lastSuccess = read.findLastIndex((row) => row.status === 'success');
  source.state.lastPolledAt = source.fetchLog.at(-1)?.createdAt ?? iso(lastPoll);
  source.state.lastFetchedAt = read.at(-1)?.createdAt ?? iso(lastPoll);
  source.state.consecutiveNoChange = read.length - 1 - lastSuccess;
  source.state.lastOutcome ??= read.at(-1)?.status === 'success' ? 'success' : 'no_change';
}

function pollLog(random: Random, source: DemoSource, today: number, lastPoll: number): DemoFetchLogRow[] {
  const from = today - LOG_DAYS * DAY_MS;
  const trigger = source.type === 'agent' ? 'agent' : 'schedule';
  const found = listingSize(source);
  const total = source.releases.length;
  const rows: DemoFetchLogRow[] = [];

  const arrivals = Map.groupBy(
    source.releases.filter((release) => Date.parse(release.fetchedAt) >= from),
    (release) => Math.floor(Date.parse(release.fetchedAt) / (6 * HOUR_MS)),
  );
  let later = [...arrivals.values()].reduce((sum, releases) => sum + releases.length, 0);
  for (const releases of arrivals.values()) {
    later -= releases.length;
    const at = Math.max(...releases.map((release) => Date.parse(release.fetchedAt)));
    rows.push({
      ...pollRow(random, trigger, at, 'success'),
      releasesFound: found,
      releasesInserted: releases.length,
      releasesUpdated: random.chance(0.1) ? 1 : 0,
      totalReleases: total - later,
    });
  }

  const interval = source.fetchPriority === 'low' ? 72 : random.pick([24, 36, 48]);
  for (let at = lastPoll; at > from; at -= interval * HOUR_MS) {
    const seen = source.releases.filter((release) => Date.parse(release.fetchedAt) <= at).length;
    rows.push({ ...pollRow(random, trigger, at, 'no_change'), releasesFound: found, totalReleases: seen });
  }
  if (random.chance(0.06))
    rows.push({ ...pollRow(random, 'schedule', lastPoll - 50 * HOUR_MS, 'skipped'), requests: 0 });
  if (random.chance(0.06)) {
    const row = pollRow(random, 'manual', lastPoll - 30 * HOUR_MS, 'dry_run');
    rows.push({ ...row, releasesFound: found, totalReleases: total });
  }
  if (random.chance(0.08)) {
    const detail = {
      errorCategory: 'timeout',
      error: 'timeout: no answer within 20 s',
      httpStatus: null,
      durationMs: 20_000,
    } as const;
    rows.push({ ...pollRow(random, trigger, lastPoll - 75 * HOUR_MS, 'timeout'), ...detail, totalReleases: total });
  }
  return rows;
}

// Replaces everything after `since` with failures.
function failSince(random: Random, source: DemoSource, log: DemoFetchLogRow[], since: number): void {
  const kept = log.filter((row) => Date.parse(row.createdAt) < since);
  const failures = Array.from({ length: 6 }, (_, index): DemoFetchLogRow => {
    const isBlocked = index % 3 === 2;
    return {
      ...pollRow(random, 'schedule', since + index * 28 * HOUR_MS, isBlocked ? 'blocked' : 'error'),
      errorCategory: isBlocked ? 'blocked' : 'unreachable',
      error: isBlocked ? 'blocked: 403 without rate-limit marks' : 'unreachable: 500 from the feed',
      httpStatus: isBlocked ? 403 : 500,
      totalReleases: source.releases.length,
    };
  });
  log.splice(0, log.length, ...kept, ...failures);
  Object.assign(source.state, {
    consecutiveErrors: failures.length,
    failingSince: iso(since),
    lastOutcome: failures.at(-1)?.errorCategory ?? null,
  });
}

function pollRow(
  random: Random,
  trigger: DemoFetchLogRow['trigger'],
  at: number,
  status: DemoFetchLogRow['status'],
): DemoFetchLogRow {
  return {
    trigger,
    status,
    errorCategory: null,
    error: null,
    releasesFound: 0,
    releasesInserted: 0,
    releasesUpdated: 0,
    totalReleases: 0,
    durationMs: random.int(90, 2600),
    httpStatus: status === 'no_change' ? random.pick([200, 304, 304]) : 200,
    requests: random.int(1, 3),
    bytes: status === 'no_change' ? random.int(0, 900) : random.int(4_000, 220_000),
    createdAt: iso(at),
  };
}

// How many entries one reading shows: stores list one, feeds some tens, repositories a page.
function listingSize(source: DemoSource): number {
  const limits: Partial<Record<SourceType, number>> = {
    github: 100,
    scrape: 60,
    feed: 25,
    agent: 20,
    appstore: 1,
    video: 15,
  };
  return Math.min(limits[source.type] ?? 20, source.releases.length);
}
