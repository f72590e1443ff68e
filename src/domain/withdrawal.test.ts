import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isWithdrawn } from './withdrawal.ts';

const CASES: [by: string | null, reason: string | null, withdrawn: boolean][] = [
  ['source', 'yanked', true],
  ['source', 'withdrawn', true],
  ['source', 'filter', false],
  ['source', 'reparse', false],
  ['operator', 'yanked', false],
  ['operator', 'withdrawn', false],
  ['operator', null, false],
  [null, null, false],
];

describe('withdrawn releases', () => {
  for (const [suppressed_by, suppressed_reason, expected] of CASES) {
    it(`suppressed by ${suppressed_by} because of ${suppressed_reason}: ${expected}`, () => {
      assert.equal(isWithdrawn({ suppressed_by, suppressed_reason }), expected);
    });
  }
});
