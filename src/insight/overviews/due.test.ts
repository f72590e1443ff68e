import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isOverviewDue } from './due.ts';

const NOW = new Date('2026-03-20T12:00:00.000Z');

describe('isOverviewDue', () => {
  // The days since the page was generated; null when there is no page.
  const cases: [string, { days: number | null; releases: number; cadence?: number; wanted?: 0 | 1 }, boolean][] = [
    ['none yet, and something to tell', { days: null, releases: 1 }, true],
    ['none yet, and nothing to tell', { days: null, releases: 0 }, false],
    ['none wanted', { days: null, releases: 9, wanted: 0 }, false],
    ['a week old with news', { days: 7, releases: 1 }, true],
    ['a week old without', { days: 7, releases: 0 }, false],
    ['six days old with some news', { days: 6, releases: 14 }, false],
    ['two days old with much news', { days: 2, releases: 15 }, true],
    ['one day old with much news', { days: 1, releases: 200 }, false],
    ['a month old where the org wants it so', { days: 29, releases: 200, cadence: 30 }, false],
    ['and a day later', { days: 30, releases: 1, cadence: 30 }, true],
    ['a day old where the org wants it daily', { days: 1, releases: 1, cadence: 1 }, true],
  ];
  for (const [name, { days, releases, cadence = null, wanted = 1 }, due] of cases) {
    it(name, () => {
      const at = new Date(NOW.getTime() - (days ?? 0) * 86_400_000).toISOString();
      const page = days === null ? undefined : { generated_at: at, updated_at: at };
      const org = { auto_generate_content: wanted, overview_cadence_days: cadence };
      assert.equal(isOverviewDue({ org, page, newReleases: releases, now: NOW }), due);
    });
  }
});
