import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { FetchPriority } from '../../contract/enums.ts';
import { countersAfter, type FetchOutcome } from '../../domain/fetching/outcome.ts';
import { AT_ONCE, nextFetchAfter } from '../../domain/fetching/schedule.ts';
import { hostOf } from '../adapters/index.ts';
import { dailyAt } from '../jobs/clocks.ts';
import { type PlanInput, type Planned, planFetch } from './plan.ts';

const AT = '2026-03-01T12:00:00.000Z';
const HOUR = 3_600_000;
const POLL_HOURS = { normal: 4, low: 24 };

const SOURCE: Planned = {
  id: 'src_a',
  fetch_priority: 'normal',
  last_polled_at: AT,
  next_fetch_after: null,
  is_hidden: 0,
  discovery: 'curated',
  deleted_at: null,
};

const planOf = (source: Planned, org: PlanInput['org'] = null, pollHours = POLL_HOURS) =>
  planFetch({ source, org, pollHours });

interface Case {
  name: string;
  priority?: FetchPriority;
  outcome: FetchOutcome;
  n?: number;
  median?: number;
  retryAfterSeconds?: number;
  due: number;
}

const CASES: Case[] = [
  { name: 'normal, success', outcome: 'success', due: 4 },
  { name: 'normal, no_change 1', outcome: 'no_change', n: 1, due: 4 },
  { name: 'normal, no_change 3', outcome: 'no_change', n: 3, due: 4 },
  { name: 'normal, no_change 5', outcome: 'no_change', n: 5, due: 16 },
  { name: 'normal, no_change 9', outcome: 'no_change', n: 9, due: 48 },
  { name: 'normal, no_change 9, median 4 days', outcome: 'no_change', n: 9, median: 4, due: 12 },
  { name: 'low, no_change 2', priority: 'low', outcome: 'no_change', n: 2, due: 24 },
  { name: 'normal, failure 4', outcome: 'timeout', n: 4, due: 8 },
  { name: 'normal, failure 7', outcome: 'gone', n: 7, due: 64 },
  { name: 'normal, failure 12', outcome: 'blocked', n: 12, due: 72 },
  { name: 'normal, 429 for 12 h', outcome: 'throttled', n: 1, retryAfterSeconds: 43_200, due: 12 },
  { name: 'normal, no model', outcome: 'model_not_configured', due: 24 },
];

describe('the next fetch', () => {
  for (const { name, priority = 'normal', outcome, n = 1, median = null, retryAfterSeconds, due } of CASES) {
    it(`${name}: after ${due} h, a tenth more or less, never before it may`, () => {
      const counters = countersAfter(outcome, { errors: n - 1, noChange: n - 1 });
      const after = nextFetchAfter({
        outcome,
        at: AT,
        counters,
        priority,
        medianGapDays: median,
        retryAfterSeconds,
        pollHours: POLL_HOURS,
      });
      const waits = Array.from({ length: 200 }, (_, index) => {
        const source = { ...SOURCE, id: `src_${index}`, fetch_priority: priority, next_fetch_after: after };
        return Date.parse(planOf(source)?.dueAt ?? '') - Date.parse(AT);
      });

      assert.ok(waits.every((wait) => wait >= 0.9 * due * HOUR && wait <= 1.1 * due * HOUR));
      assert.ok(waits.every((wait) => after === null || wait >= Date.parse(after) - Date.parse(AT)));
      assert.ok(new Set(waits).size > 90);
    });
  }

  it('is the same whenever it is asked for, and another after the next run', () => {
    const next = { ...SOURCE, last_polled_at: '2026-03-01T16:00:00.000Z' };

    assert.deepEqual(planOf(SOURCE), planOf({ ...SOURCE }));
    assert.notEqual(
      Date.parse(planOf(next)?.dueAt ?? '') - Date.parse(next.last_polled_at),
      Date.parse(planOf(SOURCE)?.dueAt ?? '') - Date.parse(AT),
    );
  });

  it('follows the configured intervals, and another interval is another basis', () => {
    const low = { ...SOURCE, fetch_priority: 'low' as const };
    const waits = [SOURCE, low].map((source) => {
      const due = planOf(source, null, { normal: 0.5, low: 100 })?.dueAt ?? '';
      return (Date.parse(due) - Date.parse(AT)) / HOUR;
    });

    assert.ok(
      waits.every((wait, index) => Math.abs(wait / ([0.5, 100][index] as number) - 1) <= 0.1),
      `${waits}`,
    );
    assert.notEqual(planOf(SOURCE)?.basis, planOf(SOURCE, null, { normal: 0.5, low: 24 })?.basis);
    assert.equal(planOf(SOURCE)?.basis, planOf(SOURCE, null, { normal: 4, low: 100 })?.basis);
  });

  it('of a source that was never polled comes at once, or when told', () => {
    const never = { ...SOURCE, last_polled_at: null };

    assert.equal(planOf(never)?.dueAt, AT_ONCE);
    assert.equal(planOf({ ...never, next_fetch_after: AT })?.dueAt, AT);
  });

  const ORG = { fetch_paused: 0, deleted_at: null };
  const excluded: [string, Partial<Planned>, PlanInput['org']][] = [
    ['paused', { fetch_priority: 'paused' }, ORG],
    ['deleted', { deleted_at: AT }, ORG],
    ['of a paused org', {}, { ...ORG, fetch_paused: 1 }],
    ['of a deleted org', {}, { ...ORG, deleted_at: AT }],
    ['made by a lookup and hidden', { is_hidden: 1, discovery: 'on_demand' }, ORG],
  ];
  for (const [name, more, org] of excluded) {
    it(`never comes for a source that is ${name}`, () => {
      assert.equal(planOf({ ...SOURCE, ...more }, org), null);
    });
  }

  it('comes for hidden sources of other kinds, and for shown ones that a lookup made', () => {
    assert.ok(planOf({ ...SOURCE, is_hidden: 1 }, ORG));
    assert.ok(planOf({ ...SOURCE, discovery: 'on_demand' }, ORG));
  });
});

describe('the host whose turn a fetch takes', () => {
  const upstream = {
    githubApiUrl: 'https://api.github.com',
    githubRawUrl: 'https://raw.example',
    githubWebUrl: 'https://github.com',
    githubToken: null,
    itunesUrl: 'https://itunes.example',
    youtubeUrl: 'https://tube.example',
    vimeoUrl: 'https://vimeo.example',
    wistiaUrl: 'https://wistia.example',
    rendererUrl: null,
  };
  const page: Parameters<typeof hostOf>[0] = {
    type: 'scrape',
    url: 'https://acme.dev:8443/log',
    github_coordinate: null,
    feed_url: null,
    video_provider: null,
  };
  const table: [string, Partial<Parameters<typeof hostOf>[0]>, string][] = [
    ['a page', {}, 'acme.dev:8443'],
    ['a page with a feed', { feed_url: 'https://feeds.dev/x' }, 'feeds.dev'],
    ['a feed', { type: 'feed' }, 'acme.dev:8443'],
    ['a repository', { type: 'github' }, 'api.github.com'],
    ['a page of a repository', { github_coordinate: 'acme/cli' }, 'api.github.com'],
    ['an app', { type: 'appstore' }, 'itunes.example'],
    ['a video channel', { type: 'video', video_provider: 'vimeo' }, 'vimeo.example'],
    ['an agent', { type: 'agent' }, 'acme.dev:8443'],
    ['an address that is none', { url: 'nowhere' }, ''],
  ];
  for (const [name, more, host] of table) {
    it(`of ${name} is ${host || 'none'}`, () => {
      assert.equal(hostOf({ ...page, ...more }, upstream), host);
    });
  }
});

describe('a daily clock', () => {
  it('strikes at its hour, today or tomorrow', () => {
    const at = dailyAt(3);

    assert.equal(at(new Date('2026-03-01T02:59:59.000Z')).toISOString(), '2026-03-01T03:00:00.000Z');
    assert.equal(at(new Date('2026-03-01T03:00:00.000Z')).toISOString(), '2026-03-02T03:00:00.000Z');
  });
});
