import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { addDays } from '../../domain/timestamps.ts';
import { averagePerWeek, recentCount, sparkline } from './counts.ts';

const today = '2026-03-31';
const daysAgo = (days: number) => addDays(today, -days);

describe('sparkline', () => {
  it('holds the last 30 UTC days, today last', () => {
    const counts = new Map([
      [today, 3],
      [daysAgo(29), 2],
      [daysAgo(30), 9],
    ]);

    const line = sparkline(counts, today);

    assert.deepEqual([line.length, line[29], line[0]], [30, 3, 2]);
    assert.equal(recentCount(counts, today), 5);
  });
});

describe('averagePerWeek', () => {
  const cases: [string, Record<number, number>, number | null, number][] = [
    ['nothing', {}, null, 0],
    ['only old releases', { 90: 5 }, 400, 0],
    ['a long history counts 90 days', { 0: 4, 89: 5, 90: 100 }, 400, 0.7],
    ['a short history counts its own days', { 0: 1, 14: 3 }, 14, 2],
    ['exactly a week', { 0: 2, 7: 1 }, 7, 3],
    ['under a week gives the count', { 0: 2, 6: 5 }, 6, 7],
    ['all of it today', { 0: 8 }, 0, 8],
  ];
  for (const [title, byAge, firstAge, expected] of cases) {
    it(title, () => {
      const counts = new Map(Object.entries(byAge).map(([age, count]) => [daysAgo(Number(age)), count]));
      const firstDate = firstAge === null ? null : `${daysAgo(firstAge)}T23:00:00.000Z`;
      assert.equal(averagePerWeek({ counts, firstDate, today }), expected);
    });
  }
});
