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

test('the cells move on with the day, and the drawings of a day differ in their counts only', () => {
  const [monday, tuesday] = [Date.parse('2026-11-16T23:59:59Z'), Date.parse('2026-11-17T00:00:00Z')];
  const draw = (count: number, now: number) => {
    const dailyCounts = count === 0 ? [] : [{ date: '2026-11-16', count }];
    return String(heatmap({ dailyCounts, total: count } as never, now));
  };
  const cells = (drawing: string) => drawing.match(/<rect .*?<\/rect>/g) ?? [];
  assert.equal(cells(draw(0, monday)).length, 52 * 7 + 1);
  assert.equal(cells(draw(0, tuesday)).length, 52 * 7 + 2);
  assert.match(cells(draw(0, tuesday)).at(-1) ?? '', /class="l0" x="442" y="27">.*2026-11-17: 0 releases/);
  const differing = cells(draw(1200, monday)).filter((cell, at) => cell !== cells(draw(0, monday))[at]);
  assert.deepEqual(differing, ['<rect class="l1" x="442" y="19"><title>2026-11-16: 1,200 releases</title></rect>']);
});
