import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isIncomplete } from './pending.ts';

describe('isIncomplete', () => {
  const cases: [count: number, pending: number, incomplete: boolean][] = [
    [64, 15_987, true],
    [18, 2, false],
    [18, 3, true],
    [9, 1, false],
    [9, 2, true],
    [1, 1, true],
    [100, 0, false],
    // An empty index has a reason of its own.
    [0, 5, false],
    [0, 0, false],
  ];
  for (const [count, pending, incomplete] of cases) {
    it(`${count} with a vector, ${pending} without: ${incomplete}`, () => {
      assert.equal(isIncomplete({ count, pending }), incomplete);
    });
  }
});
