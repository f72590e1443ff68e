import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isComplete, mostPending } from './indexes.ts';

describe('isComplete', () => {
  const cases: [before: boolean, count: number, pending: number, complete: boolean][] = [
    // An index that is being built for the first time.
    [false, 0, 0, true],
    [false, 0, 1, false],
    [false, 64, 1, false],
    [false, 64, 15_987, false],
    [false, 990, 10, false],
    [false, 998, 1, false],
    [false, 999, 1, true],
    [false, 999, 2, false],
    [false, 100, 0, true],
    // One that was complete lags behind for a moment whenever something is published.
    [true, 18, 2, true],
    [true, 18, 3, false],
    [true, 9, 1, true],
    [true, 9, 2, false],
    [true, 1, 1, false],
    [true, 0, 1, false],
    [true, 0, 0, true],
    [true, 1_000_000, 111_111, true],
    [true, 1_000_000, 111_112, false],
  ];
  for (const [before, count, pending, complete] of cases) {
    const name = `${before ? 'complete before' : 'never complete'}, ${count} with a vector, ${pending} without: ${complete}`;
    it(name, () => assert.equal(isComplete(before, { count, pending }), complete));
    it(`${name}, also when counted up to the limit`, () => {
      const counted = Math.min(pending, mostPending(before, count));
      assert.equal(isComplete(before, { count, pending: counted }), complete);
    });
  }
});
