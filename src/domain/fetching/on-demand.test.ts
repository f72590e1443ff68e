import assert from 'node:assert/strict';
import { it } from 'node:test';
import { mayReadAgain } from './on-demand.ts';

it('a source may be read again on demand when its last reading is older than a day', () => {
  const now = new Date('2026-03-10T12:00:00.000Z');
  const cases: [string | null, boolean][] = [
    [null, true],
    ['2026-03-09T11:59:59.999Z', true],
    ['2026-03-09T12:00:00.000Z', false],
    ['2026-03-10T11:00:00.000Z', false],
    ['2026-03-10T13:00:00.000Z', false],
  ];
  for (const [lastFetchedAt, expected] of cases) assert.equal(mayReadAgain(lastFetchedAt, now), expected);
});
