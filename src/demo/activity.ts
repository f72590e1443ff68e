// What a source of the demo has beside its releases: changelog files, and two weeks of polling with their outcome.
import type { FetchLogRow } from '../store/schema/jobs.ts';
import type { SourceRow } from '../store/schema/sources.ts';
import { DAY_MS, type DemoSource, iso } from './registry.ts';

type LogRow = Omit<FetchLogRow, 'id' | 'source_id'>;

const LOG_DAYS = 14;
const FAILING_DAYS = 6;
const HOUR_MS = 3_600_000;
// Every status that the log knows occurs somewhere.
const UNUSUAL: Partial<LogRow>[] = [
  { status: 'skipped', requests: 0 },
  { status: 'dry_run', trigger: 'manual' },
  { status: 'timeout', ...failure('timeout', 'no answer within 20 s', null), duration_ms: 20_000 },
];

// Newest entry first; pre-releases and what is not out yet stay out of a file.
export function changelogFilesOf({ changelogs = [], packages = [], releases, url }: DemoSource, today: number) {
  const stable = releases.filter((release) => !release.prerelease && release.fetchedAt <= iso(today)).reverse();
  return changelogs.map((path) => {
    const folder = /^packages\/(.+)\//.exec(path)?.[1];
    const name = packages.find((entry) => folder && entry.name.endsWith(folder))?.name.replace(/^\w+:/, '');
    const own = name ? stable.filter(({ version }) => version?.startsWith(`${name}@`)) : stable;
    const entries = own.map(({ version = '', publishedAt, content }) => {
      if (content.startsWith('## [')) return content;
      const number = name ? version.slice(name.length + 1) : version.includes('@') ? version : `[${version}]`;
      const day = publishedAt && !name ? ` - ${publishedAt.slice(0, 10)}` : '';
      return `## ${number}${day}\n\n${content.replaceAll(/^## /gm, '### ')}`;
    });
    const rawUrl = url.replace('github.com', 'raw.githubusercontent.com');
    return {
      path,
      url: `${url}/blob/main/${path}`,
      rawUrl: `${rawUrl}/main/${path}`,
      content: `${[`# ${name ?? 'Changelog'}`, ...entries].join('\n\n')}\n`,
      fetchedAt: iso(today),
    };
  });
}

export function fetchLogOf(source: DemoSource, { today, place }: { today: number; place: number }): LogRow[] {
  const { health, fetchPriority, releases, type } = source;
  if (health === 'never_fetched' || fetchPriority === 'paused') return [];
  const trigger = type === 'agent' ? 'agent' : 'schedule';
  return Array.from({ length: LOG_DAYS }, (_, index): LogRow => {
    const at = today - (LOG_DAYS - 1 - index) * DAY_MS - ((place * 37) % 300) * 60_000;
    const known = releases.filter((release) => Date.parse(release.fetchedAt) <= at).length;
    const inserted = releases.filter(
      ({ fetchedAt }) => Date.parse(fetchedAt) <= at && Date.parse(fetchedAt) > at - DAY_MS,
    ).length;
    const row = pollRow(at, { place, inserted, known, trigger });
    if (health === 'failing' && index >= LOG_DAYS - FAILING_DAYS) {
      return index % 3 === 2
        ? { ...row, status: 'blocked', ...failure('blocked', '403 without rate-limit marks', 403) }
        : { ...row, status: 'error' as const, ...failure('unreachable', '500 from the feed', 500) };
    }
    return place % 12 === index ? { ...row, ...UNUSUAL[place % UNUSUAL.length] } : row;
  });
}

export function stateOf({ stars, health, addedAt }: DemoSource, log: LogRow[], today: number): Partial<SourceRow> {
  const read = log.filter(({ status }) => status === 'success' || status === 'no_change');
  const failed = health === 'failing' ? log.slice(-FAILING_DAYS) : [];
  const pausedAt = iso(Math.max(today - 40 * DAY_MS, Date.parse(addedAt)));
  const last = health === 'never_fetched' ? null : pausedAt;
  return {
    stars: stars ?? null,
    stars_fetched_at: stars === undefined ? null : iso(today - 5 * HOUR_MS),
    last_polled_at: log.at(-1)?.created_at ?? last,
    last_fetched_at: read.at(-1)?.created_at ?? last,
    consecutive_errors: failed.length,
    last_outcome: (failed.at(-1)?.error_category ??
      read.at(-1)?.status ??
      (last && 'no_change')) as SourceRow['last_outcome'],
    failing_since: failed[0]?.created_at ?? null,
    consecutive_no_change: read.length - 1 - read.findLastIndex((row) => row.status === 'success'),
  };
}

function pollRow(
  at: number,
  seen: { place: number; inserted: number; known: number; trigger: LogRow['trigger'] },
): LogRow {
  const isNew = seen.inserted > 0;
  return {
    trigger: seen.trigger,
    status: isNew ? 'success' : 'no_change',
    error_category: null,
    error: null,
    releases_found: Math.min(60, seen.known),
    releases_inserted: seen.inserted,
    releases_updated: 0,
    total_releases: seen.known,
    duration_ms: 180 + ((seen.place * 211) % 2400),
    http_status: isNew ? 200 : 304,
    requests: 1,
    bytes: isNew ? 24_000 + seen.known * 900 : 0,
    created_at: iso(at),
  };
}

function failure(category: NonNullable<LogRow['error_category']>, reason: string, http_status: number | null) {
  return { error_category: category, error: `${category}: ${reason}`, http_status, releases_found: 0 };
}
