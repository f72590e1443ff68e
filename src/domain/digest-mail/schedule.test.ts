import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isZone, nextDigest } from './schedule.ts';

const next = (cadence: 'daily' | 'weekly', hour: number, zone: string, after: string, weekday = 1) =>
  nextDigest({ cadence, weekday, hour, zone }, new Date(after))?.toISOString();

describe('the time of a digest', () => {
  const cases: [string, string | undefined, string][] = [
    ['each day', next('daily', 8, 'UTC', '2026-03-20T07:00:00Z'), '2026-03-20T08:00:00.000Z'],
    ['the next day, when it has passed', next('daily', 8, 'UTC', '2026-03-20T08:00:00Z'), '2026-03-21T08:00:00.000Z'],
    ['in a zone', next('daily', 8, 'Asia/Tokyo', '2026-03-20T12:00:00Z'), '2026-03-20T23:00:00.000Z'],
    ['in a zone of half hours', next('daily', 8, 'Asia/Kolkata', '2026-03-20T00:00:00Z'), '2026-03-20T02:30:00.000Z'],
    ['at midnight', next('daily', 0, 'UTC', '2026-03-20T12:00:00Z'), '2026-03-21T00:00:00.000Z'],
    ['each week', next('weekly', 8, 'Europe/Lisbon', '2026-11-11T12:00:00Z'), '2026-11-16T08:00:00.000Z'],
    ['a skipped hour', next('daily', 2, 'Europe/Berlin', '2026-03-28T12:00:00Z'), '2026-03-29T01:00:00.000Z'],
    ['a repeated hour once', next('daily', 2, 'Europe/Berlin', '2026-10-25T00:00:00Z'), '2026-10-26T01:00:00.000Z'],
  ];
  for (const [name, actual, expected] of cases) it(name, () => assert.equal(actual, expected));

  it('is none while it is off', () =>
    assert.equal(nextDigest({ cadence: 'off', weekday: 1, hour: 8, zone: 'UTC' }, new Date()), null));
  it('knows zones', () => assert.deepEqual([isZone('Europe/Lisbon'), isZone('Nowhere/At all')], [true, false]));
});
