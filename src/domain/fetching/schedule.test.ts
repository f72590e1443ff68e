import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { cutText } from '../clean-text.ts';
import { countersAfter, type FetchOutcome, failureText, logStatusOf, wasRead } from './outcome.ts';
import { AT_ONCE, dueAt, jitterMs, nextFetchAfter, type PollHours, tierMs } from './schedule.ts';

const AT = '2026-03-01T12:00:00.000Z';
const HOUR = 3_600_000;
const POLL_HOURS = { normal: 4, low: 24 };
const hoursFrom = (iso: string | null) => (iso === null ? null : (Date.parse(iso) - Date.parse(AT)) / HOUR);

interface Case {
  name: string;
  priority?: string;
  outcome: FetchOutcome;
  n?: number;
  median?: number;
  retryAfterSeconds?: number;
  // Hours after the run: what the outcome asks for, and when the source is due.
  wait: number | null;
  due: number | null;
}

const CASES: Case[] = [
  { name: 'normal, success', outcome: 'success', wait: null, due: 4 },
  { name: 'normal, no_change 1', outcome: 'no_change', n: 1, wait: 1, due: 4 },
  { name: 'normal, no_change 3', outcome: 'no_change', n: 3, wait: 4, due: 4 },
  { name: 'normal, no_change 5', outcome: 'no_change', n: 5, wait: 16, due: 16 },
  { name: 'normal, no_change 9', outcome: 'no_change', n: 9, wait: 48, due: 48 },
  { name: 'normal, no_change 9, median 4 days', outcome: 'no_change', n: 9, median: 4, wait: 12, due: 12 },
  { name: 'normal, no_change 9, median 0', outcome: 'no_change', n: 9, median: 0, wait: 4, due: 4 },
  { name: 'normal, no_change 2, median 90 days', outcome: 'no_change', n: 2, median: 90, wait: 2, due: 4 },
  { name: 'low, no_change 2', priority: 'low', outcome: 'no_change', n: 2, wait: 2, due: 24 },
  {
    name: 'low, no_change 9, median 4 days',
    priority: 'low',
    outcome: 'no_change',
    n: 9,
    median: 4,
    wait: 24,
    due: 24,
  },
  { name: 'paused, no_change 1', priority: 'paused', outcome: 'no_change', n: 1, wait: 1, due: null },
  { name: 'normal, failure 4', outcome: 'unreachable', n: 4, wait: 8, due: 8 },
  { name: 'normal, failure 7', outcome: 'gone', n: 7, wait: 64, due: 64 },
  { name: 'normal, failure 12', outcome: 'malformed', n: 12, wait: 72, due: 72 },
  { name: 'normal, failure 2000', outcome: 'error', n: 2000, wait: 72, due: 72 },
  { name: 'normal, throttled for 12 h', outcome: 'throttled', n: 1, retryAfterSeconds: 43_200, wait: 12, due: 12 },
  {
    name: 'normal, throttled for a year',
    outcome: 'throttled',
    n: 1,
    retryAfterSeconds: 31_536_000,
    wait: 24,
    due: 24,
  },
  { name: 'normal, throttled 6, asked for 1 s', outcome: 'throttled', n: 6, retryAfterSeconds: 1, wait: 32, due: 32 },
  { name: 'normal, throttled by a shared budget', outcome: 'throttled', n: 0, wait: 1, due: 4 },
  { name: 'normal, no model', outcome: 'model_not_configured', n: 0, wait: 24, due: 24 },
];

describe('nextFetchAfter and dueAt', () => {
  for (const { name, priority = 'normal', outcome, n = 0, median = null, retryAfterSeconds, wait, due } of CASES) {
    it(name, () => {
      const counters = { errors: wasRead(outcome) ? 0 : n, noChange: wasRead(outcome) ? n : 0 };

      const after = nextFetchAfter({
        outcome,
        at: AT,
        counters,
        priority,
        medianGapDays: median,
        retryAfterSeconds,
        pollHours: POLL_HOURS,
      });

      assert.equal(hoursFrom(after), wait);
      assert.equal(hoursFrom(dueAt({ priority, lastPolledAt: AT, nextFetchAfter: after, pollHours: POLL_HOURS })), due);
    });
  }

  it('a source that was never polled is due at once, or when told', () => {
    const never = { priority: 'normal', lastPolledAt: null, pollHours: POLL_HOURS };

    assert.equal(dueAt({ ...never, nextFetchAfter: null }), AT_ONCE);
    assert.equal(dueAt({ ...never, nextFetchAfter: AT }), AT);
    assert.equal(dueAt({ ...never, priority: 'paused', nextFetchAfter: AT }), null);
  });

  it('the tier is the configured interval of the priority; paused sources have none', () => {
    const tiers = (pollHours: PollHours) => ['normal', 'low', 'paused'].map((priority) => tierMs(priority, pollHours));

    assert.deepEqual(tiers(POLL_HOURS), [4 * HOUR, 24 * HOUR, null]);
    assert.deepEqual(tiers({ normal: 0.5, low: 100 }), [0.5 * HOUR, 100 * HOUR, null]);
  });

  it('a source that publishes often is not asked less often than the configured interval because nothing changed', () => {
    const run = { outcome: 'no_change', at: AT, counters: { errors: 0, noChange: 9 }, medianGapDays: 0 } as const;
    const wait = (pollHours: PollHours) => hoursFrom(nextFetchAfter({ ...run, priority: 'normal', pollHours }));

    assert.deepEqual([wait(POLL_HOURS), wait({ normal: 12, low: 24 })], [4, 12]);
  });
});

describe('jitterMs', () => {
  it('is repeatable, within a tenth, and differs between runs', () => {
    const values = Array.from({ length: 200 }, (_, run) => jitterMs({ sourceId: 'src_a', run, intervalMs: 4 * HOUR }));

    assert.deepEqual(
      values,
      Array.from({ length: 200 }, (_, run) => jitterMs({ sourceId: 'src_a', run, intervalMs: 4 * HOUR })),
    );
    assert.ok(values.every((value) => Math.abs(value) <= 0.4 * HOUR));
    assert.ok(new Set(values).size > 190);
    assert.ok(values.some((value) => value < -0.2 * HOUR) && values.some((value) => value > 0.2 * HOUR));
  });
});

describe('outcomes', () => {
  const table: [FetchOutcome, string, number, number][] = [
    ['success', 'success', 0, 0],
    ['no_change', 'no_change', 0, 4],
    ['gone', 'error', 3, 3],
    ['blocked', 'blocked', 3, 3],
    ['throttled', 'error', 3, 3],
    ['malformed', 'error', 3, 3],
    ['empty', 'error', 3, 3],
    ['timeout', 'timeout', 3, 3],
    ['unreachable', 'error', 3, 3],
    ['model_not_configured', 'error', 2, 3],
    ['error', 'error', 3, 3],
  ];
  for (const [outcome, status, errors, noChange] of table) {
    it(`${outcome} is logged as ${status}`, () => {
      assert.equal(logStatusOf(outcome), status);
      assert.deepEqual(countersAfter(outcome, { errors: 2, noChange: 3 }), { errors, noChange });
    });
  }

  it('a shared budget that ran out is not counted against the source', () => {
    const before = { errors: 2, noChange: 3 };

    assert.deepEqual(countersAfter('throttled', before, { ownFault: false }), before);
    assert.equal(countersAfter('gone', before, { ownFault: false }).errors, 3);
  });

  it('texts are cut without splitting a character', () => {
    assert.equal(failureText('gone', 'HTTP 410'), 'gone: HTTP 410');
    assert.equal(failureText('error', 'x'.repeat(600)).length, 500);
    assert.equal(cutText('ab😀', 3), 'ab');
    assert.equal(cutText('ab😀', 4), 'ab😀');
  });
});
