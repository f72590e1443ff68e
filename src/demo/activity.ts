// What a source of the demo has beside its releases: changelog files, and two weeks of polling with their outcome.
import type { FetchLogRow } from '../store/schema/jobs.ts';
import type { SourceRow } from '../store/schema/sources.ts';
import { DAY_MS, type DemoSource, iso } from './registry.ts';

type LogRow = Omit<FetchLogRow, 'id' | 'source_id'>;

const LOG_DAYS = 14;
const FAILING_DAYS = 6;

// Newest entry first; pre-releases and what is not out yet stay out of a file.
export function changelogFilesOf({ changelogs = [], packages = [], releases, url }: DemoSource, today: number) {
  const stable = releases.filter((release) => !release.prerelease && release.fetchedAt <= iso(today)).reverse();
  const rawUrl = url.replace('github.com', 'raw.githubusercontent.com');
  return changelogs.map((path) => {
    const folder = /^packages\/(.+)\//.exec(path)?.[1];
    const name = packages.find((entry) => folder && entry.name.endsWith(folder))?.name;
    const own = name ? stable.filter(({ version }) => version?.startsWith(`${name}@`)) : stable;
    const entries = own.map(({ version = '', publishedAt, content }) => {
      if (content.startsWith('## [')) return content;
      const number = name ? version.slice(name.length + 1) : version.includes('@') ? version : `[${version}]`;
      const day = publishedAt && !name ? ` - ${publishedAt.slice(0, 10)}` : '';
      return `## ${number}${day}\n\n${content.replaceAll(/^## /gm, '### ')}`;
    });
    const content = `${[`# ${name ?? 'Changelog'}`, ...entries].join('\n\n')}\n`;
    return { path, url: `${url}/blob/main/${path}`, rawUrl: `${rawUrl}/main/${path}`, content, fetchedAt: iso(today) };
  });
}

export function fetchLogOf({ place, health, fetchPriority, releases, type }: DemoSource, today: number): LogRow[] {
  if (health === 'never_fetched' || fetchPriority === 'paused') return [];
  return Array.from({ length: LOG_DAYS }, (_, index): LogRow => {
    const at = today - (LOG_DAYS - 1 - index) * DAY_MS - ((place * 37) % 300) * 60_000;
    const known = releases.filter(({ fetchedAt }) => Date.parse(fetchedAt) <= at);
    const inserted = known.filter(({ fetchedAt }) => Date.parse(fetchedAt) > at - DAY_MS).length;
    const row: LogRow = {
      trigger: type === 'agent' ? 'agent' : 'schedule',
      status: inserted > 0 ? 'success' : 'no_change',
      error_category: null,
      error: null,
      releases_found: Math.min(60, known.length),
      releases_inserted: inserted,
      releases_updated: 0,
      total_releases: known.length,
      duration_ms: 180 + ((place * 211) % 2400),
      http_status: inserted > 0 ? 200 : 304,
      requests: 1,
      bytes: inserted > 0 ? 24_000 + known.length * 900 : 0,
      created_at: iso(at),
    };
    if (health === 'failing' && index >= LOG_DAYS - FAILING_DAYS)
      return { ...row, ...FAILURES[index % FAILURES.length] };
    return place % 12 === index ? { ...row, ...UNUSUAL[place % UNUSUAL.length] } : row;
  });
}

// Every status that the log knows occurs somewhere.
const UNUSUAL: readonly Partial<LogRow>[] = [
  { status: 'skipped', requests: 0 },
  { status: 'dry_run', trigger: 'manual' },
  { ...failure('timeout', 'timeout: no answer within 20 s', null), duration_ms: 20_000 },
];
const UNREACHABLE = failure('error', 'unreachable: 500 from the feed', 500);
const FAILURES = [UNREACHABLE, UNREACHABLE, failure('blocked', 'blocked: 403 without rate-limit marks', 403)];

function failure(status: LogRow['status'], error: string, http_status: number | null): Partial<LogRow> {
  const error_category = error.split(':')[0] as LogRow['error_category'];
  return { status, error_category, error, http_status, releases_found: 0 };
}

export function stateOf({ stars, health, addedAt }: DemoSource, log: LogRow[], today: number): Partial<SourceRow> {
  const read = log.filter(({ status }) => status === 'success' || status === 'no_change');
  const failed = health === 'failing' ? log.slice(-FAILING_DAYS) : [];
  const last = health === 'never_fetched' ? null : iso(Math.max(today - 40 * DAY_MS, Date.parse(addedAt)));
  const outcome = failed.at(-1)?.error_category ?? read.at(-1)?.status ?? (last && 'no_change');
  return {
    stars: stars ?? null,
    stars_fetched_at: stars === undefined ? null : iso(today - 5 * 3_600_000),
    last_polled_at: log.at(-1)?.created_at ?? last,
    last_fetched_at: read.at(-1)?.created_at ?? last,
    consecutive_errors: failed.length,
    last_outcome: outcome as SourceRow['last_outcome'],
    failing_since: failed[0]?.created_at ?? null,
    consecutive_no_change: read.length - 1 - read.findLastIndex((row) => row.status === 'success'),
  };
}
