import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DAY_MS } from './dates.ts';
import { createRandom } from './random.ts';
import { planTimeline, type TimelineInput } from './timeline.ts';

const TODAY = Date.parse('2026-03-01T00:00:00Z');

function plan(input: Partial<TimelineInput>) {
  return planTimeline(createRandom(4), {
    today: TODAY,
    count: 40,
    scheme: 'v-semver',
    style: 'keep-a-changelog',
    ageDays: 730,
    quietDays: 0,
    undated: 0,
    dayPrecision: false,
    start: '1.0.0',
    prefix: 'tool',
    packages: [],
    ...input,
  });
}

describe('timeline', () => {
  it('spells tags as the scheme says', () => {
    assert.equal(plan({})[0]?.tag, 'v1.0.0');
    assert.equal(plan({ scheme: 'semver' })[0]?.tag, '1.0.0');
    assert.equal(plan({ scheme: 'prefixed' })[0]?.tag, 'tool-v1.0.0');
    assert.equal(plan({ scheme: 'none' })[0]?.tag, null);
    assert.match(plan({ scheme: 'calendar' })[0]?.tag ?? '', /^202[45]([.-]\d+){2}$/);
  });

  it('stays before today, and today only without a time of day', () => {
    assert.ok(plan({ count: 500 }).every(({ at }) => at < TODAY));
    assert.ok(plan({ count: 500, dayPrecision: true }).every(({ at }) => at <= TODAY && at % DAY_MS === 0));
    assert.ok(plan({ quietDays: 100 }).every(({ at }) => at < TODAY - 99 * DAY_MS));
  });

  it('chooses a period that fits the number of rollups', () => {
    const months = plan({ style: 'rollup', scheme: 'none', count: 3 * 8 });
    const weeks = plan({ style: 'rollup', scheme: 'none', count: 60 });

    assert.equal(months.at(-1)?.at, TODAY);
    assert.equal(months[0]?.at, Date.parse('2024-04-01T00:00:00Z'));
    assert.ok(weeks.every(({ at, period }) => period === 'week' && new Date(at).getUTCDay() === 5));
    assert.equal(plan({ style: 'rollup', scheme: 'none', count: 8 })[0]?.period, 'quarter');
  });

  it('publishes packages in pushes with a leader', () => {
    const rows = plan({ scheme: 'packages', style: 'changesets', packages: ['a', 'b', 'c'], count: 60 });
    const pushes = Map.groupBy(rows, (row) => row.push?.index);

    assert.equal(rows.length, 60);
    assert.equal(new Set(rows.map((row) => row.tag)).size, 60);
    for (const push of pushes.values()) {
      assert.equal(push[0]?.packageName, push[0]?.push?.leads[0]?.packageName);
      assert.equal(new Set(push.map((row) => row.packageName)).size, push.length);
    }
  });
});
