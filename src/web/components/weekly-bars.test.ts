import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everyWeek, plotRange, weeklyBars } from './weekly-bars.ts';

const now = Date.parse('2026-11-12T09:00:00Z');

test('the plot shows 26 weeks that begin on Monday, empty ones included', () => {
  const range = plotRange(now);
  assert.deepEqual(range, { from: '2026-05-18', to: '2026-11-12' });
  const weeks = everyWeek([{ weekStart: '2026-11-09', count: 4 }], range);
  assert.equal(weeks.length, 26);
  assert.equal(weeks.at(-1)?.count, 4);
  assert.equal(weeks[0]?.count, 0);
});

test('weeks with a breaking release and weeks that could not be read are told apart', () => {
  const drawing = String(
    weeklyBars(
      [
        { weekStart: '2026-11-09', count: 4, breaking: true },
        { weekStart: '2026-11-02', count: 1, unread: true },
      ],
      plotRange(now),
    ),
  );
  assert.match(drawing, /class="brk"/);
  assert.match(drawing, /class="gap"/);
  assert.match(drawing, /could not be read/);
});
