import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeYear, heatmap, levelOf, quartiles } from './heatmap.ts';

test('levels are quartiles of the days that have releases', () => {
  const bounds = quartiles([0, 0, 1, 2, 3, 4, 5, 6, 7, 8]);
  assert.deepEqual(
    [0, 1, 3, 5, 7, 8].map((count) => levelOf(count, bounds)),
    [0, 1, 1, 2, 3, 4],
  );
  assert.equal(levelOf(0, quartiles([])), 0);
});

test('the sentence names the total, the busiest day and the longest gap', () => {
  const days = [
    { date: '2026-01-01', count: 1 },
    { date: '2026-01-11', count: 3 },
    { date: '2026-01-12', count: 1 },
  ];
  const words = describeYear(days, 5);
  assert.match(words, /^5 releases in 52 weeks/);
  assert.match(words, /\(3\)/);
  assert.match(words, /longest gap was 10 days/);
  assert.equal(describeYear([], 0), 'No release in the last 52 weeks.');
});

test('every day of 53 weeks is a titled cell', () => {
  const sunday = Date.parse('2026-11-15T12:00:00Z');
  const year = { dailyCounts: [{ date: '2026-11-15', count: 2 }], total: 2 };
  const drawing = String(heatmap(year as never, sunday));
  assert.equal(drawing.match(/<rect /g)?.length, 53 * 7);
  assert.match(drawing, /<title>2026-11-15: 2 releases<\/title>/);
});
