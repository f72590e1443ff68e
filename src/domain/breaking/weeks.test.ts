import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readWeek, spanOfWeek, weekBeside, weekOf, weekSlug } from './weeks.ts';

it('weeks begin on Monday, and the year of a week is that of its Thursday', () => {
  const cases = [
    ['2026-09-21T00:00:00.000Z', '2026-w39'],
    ['2026-09-27T23:59:59.999Z', '2026-w39'],
    ['2027-01-03T12:00:00.000Z', '2026-w53'],
    ['2027-01-04T00:00:00.000Z', '2027-w01'],
    ['2024-12-30T00:00:00.000Z', '2025-w01'],
  ] as const;
  for (const [at, slug] of cases) assert.equal(weekSlug(weekOf(new Date(at))), slug, at);
  assert.deepEqual(spanOfWeek({ year: 2026, week: 39 }), {
    since: '2026-09-21T00:00:00.000Z',
    until: '2026-09-28T00:00:00.000Z',
  });
  assert.equal(weekSlug(weekBeside({ year: 2026, week: 53 }, 1)), '2027-w01');
  assert.equal(weekSlug(weekBeside({ year: 2027, week: 1 }, -1)), '2026-w53');
});

it('what is no week has no page', () => {
  assert.deepEqual(readWeek('2026-w53'), { year: 2026, week: 53 });
  for (const slug of ['2025-w53', '2026-w00', '2026-w1', '2026-39', '0001-w01', 'w39', '']) {
    assert.equal(readWeek(slug), null, slug);
  }
});
