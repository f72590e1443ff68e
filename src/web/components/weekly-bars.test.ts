import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everyWeek, plotRange, weeklyBars } from './weekly-bars.ts';

const now = Date.parse('2026-11-12T09:00:00Z');

test('the plot shows 26 weeks that begin on Monday, empty ones included', () => {
  const range = plotRange(now);
  assert.deepEqual(range, { from: '2026-05-18', to: '2026-11-12' });
  const weeks = everyWeek({ weeks: [{ weekStart: '2026-11-09', count: 4 }] }, range);
  assert.equal(weeks.length, 26);
  assert.equal(weeks.at(-1)?.count, 4);
  assert.equal(weeks[0]?.count, 0);
});

test('weeks with a breaking release and weeks that could not be read are told apart', () => {
  const drawing = String(
    weeklyBars(
      {
        weeks: [
          { weekStart: '2026-11-09', count: 4, worst: 'major' },
          { weekStart: '2026-10-19', count: 2, worst: 'minor' },
          { weekStart: '2026-11-02', count: 1, unread: true },
        ],
        unreadWeeks: ['2026-10-26', '2026-11-02'],
      },
      plotRange(now),
    ),
  );
  assert.equal(drawing.match(/class="gap"/g)?.length, 2);
  assert.match(
    drawing,
    /7 releases in 26 weeks; 1 week with a release that breaks; 1 week with one that may break; 2 weeks could not be read/,
  );
  assert.deepEqual(drawing.match(/<rect class="(?:major|minor)"/g), ['<rect class="minor"', '<rect class="major"']);
  assert.match(drawing, /class="gap"/);
  assert.match(drawing, /could not be read/);
});

test('the plot takes a range of at most 104 weeks', () => {
  const cases: [{ from?: string; to?: string }, { from: string; to: string }][] = [
    [{ from: '2026-10-01' }, { from: '2026-09-28', to: '2026-11-12' }],
    [{ to: '2026-10-01' }, { from: '2026-04-06', to: '2026-10-01' }],
    [
      { from: '2026-09-01', to: '2026-10-01' },
      { from: '2026-08-31', to: '2026-10-01' },
    ],
    [{ from: '2001-01-01' }, { from: '2024-11-18', to: '2026-11-12' }],
    [{ to: '2027-05-05' }, { from: '2026-05-18', to: '2026-11-12' }],
    [
      { from: '2026-11-11', to: '2026-11-01' },
      { from: '2026-05-04', to: '2026-11-01' },
    ],
    [
      { from: 'yesterday', to: '2026-02-30' },
      { from: '2026-05-18', to: '2026-11-12' },
    ],
    [{ to: '0001-01-01' }, { from: '2026-05-18', to: '2026-11-12' }],
  ];
  for (const [requested, expected] of cases)
    assert.deepEqual(plotRange(now, requested), expected, JSON.stringify(requested));
});
