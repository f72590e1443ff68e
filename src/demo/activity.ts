// Two weeks of polling: what came in, what had nothing new, and how the unlucky sources failed.
import type { SourceType } from '../contract/enums.ts';
import { DAY_MS, iso } from './dates.ts';
import type { Random } from './random.ts';
import type { SourceDraft } from './sources.ts';
import type { DemoFetchLogRow, DemoSource } from './types.ts';

const LOG_DAYS = 14;
const HOUR_MS = 3_600_000;
const FAILING_DAYS = 6;

// How many entries one reading shows: stores list one, feeds some tens, repositories a page.
const LISTED: Partial<Record<SourceType, number>> = { github: 100, scrape: 60, feed: 25, appstore: 1, video: 15 };

export function writeActivity(random: Random, { source, cast }: SourceDraft, today: number): void {
  if (cast.health === 'never_fetched') return;
  const isPaused = source.fetchPriority === 'paused';
  const lastPoll = today - (isPaused ? 40 * DAY_MS : random.int(5, 300) * 60_000);
  const log = isPaused ? [] : pollLog(random, source, { today, lastPoll });
  source.fetchLog = cast.health === 'failing' ? failing(random, { source, log, today }) : log;
  source.fetchLog.sort((a, b) => (a.created_at < b.created_at ? -1 : 1));

  const read = source.fetchLog.filter((row) => row.status === 'success' || row.status === 'no_change');
  const { state } = source;
  state.last_polled_at = source.fetchLog.at(-1)?.created_at ?? iso(lastPoll);
  state.last_fetched_at = read.at(-1)?.created_at ?? iso(lastPoll);
  state.consecutive_no_change = read.length - 1 - read.findLastIndex((row) => row.status === 'success');
  state.last_outcome ??= read.at(-1)?.status === 'success' ? 'success' : 'no_change';
}

function pollLog(
  random: Random,
  source: DemoSource,
  { today, lastPoll }: { today: number; lastPoll: number },
): DemoFetchLogRow[] {
  const from = today - LOG_DAYS * DAY_MS;
  const trigger = source.type === 'agent' ? 'agent' : 'schedule';
  const seen = source.releases.map((release) => Date.parse(release.fetchedAt));
  const poll = (at: number, row: Partial<DemoFetchLogRow>): DemoFetchLogRow => ({
    ...pollRow(random, at),
    trigger,
    releases_found: Math.min(LISTED[source.type] ?? 20, source.releases.length),
    total_releases: seen.filter((time) => time <= at).length,
    ...row,
  });
  const arrivals = Map.groupBy(
    seen.filter((time) => time >= from),
    (time) => Math.floor(time / (6 * HOUR_MS)),
  );
  const rows = [...arrivals.values()].map((times) =>
    poll(Math.max(...times), { releases_inserted: times.length, releases_updated: random.chance(0.1) ? 1 : 0 }),
  );
  const interval = source.fetchPriority === 'low' ? 72 : random.pick([24, 36, 48]);
  for (let at = lastPoll; at > from; at -= interval * HOUR_MS) {
    const http_status = random.pick([200, 304, 304]);
    rows.push(poll(at, { status: 'no_change', http_status, bytes: random.int(0, 900) }));
  }
  const unusual: [chance: number, hoursAgo: number, row: Partial<DemoFetchLogRow>][] = [
    [0.06, 50, { status: 'skipped', trigger: 'schedule', requests: 0 }],
    [0.06, 30, { status: 'dry_run', trigger: 'manual' }],
    [0.08, 75, { status: 'timeout', ...failure('timeout', 'no answer within 20 s', null), duration_ms: 20_000 }],
  ];
  for (const [chance, hoursAgo, row] of unusual) {
    if (random.chance(chance)) rows.push(poll(lastPoll - hoursAgo * HOUR_MS, row));
  }
  return rows;
}

// Replaces the last days of the log with failures.
function failing(
  random: Random,
  { source, log, today }: { source: DemoSource; log: DemoFetchLogRow[]; today: number },
): DemoFetchLogRow[] {
  const since = today - FAILING_DAYS * DAY_MS;
  const failures = Array.from({ length: 6 }, (_, index): DemoFetchLogRow => {
    const row = { ...pollRow(random, since + index * 22 * HOUR_MS), total_releases: source.releases.length };
    return index % 3 === 2
      ? { ...row, status: 'blocked', ...failure('blocked', '403 without rate-limit marks', 403) }
      : { ...row, status: 'error', ...failure('unreachable', '500 from the feed', 500) };
  });
  Object.assign(source.state, {
    consecutive_errors: failures.length,
    failing_since: iso(since),
    last_outcome: failures.at(-1)?.error_category,
  });
  return [...log.filter((row) => Date.parse(row.created_at) < since), ...failures];
}

function failure(category: NonNullable<DemoFetchLogRow['error_category']>, reason: string, http_status: number | null) {
  return { error_category: category, error: `${category}: ${reason}`, http_status, releases_found: 0 };
}

function pollRow(random: Random, at: number): DemoFetchLogRow {
  return {
    trigger: 'schedule',
    status: 'success',
    error_category: null,
    error: null,
    releases_found: 0,
    releases_inserted: 0,
    releases_updated: 0,
    total_releases: 0,
    duration_ms: random.int(90, 2600),
    http_status: 200,
    requests: random.int(1, 3),
    bytes: random.int(4_000, 220_000),
    created_at: iso(at),
  };
}
