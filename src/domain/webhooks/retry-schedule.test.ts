import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { outcomeOf, waitMs } from './retry-schedule.ts';

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const PLANNED = [10, 60, 300, 1800, 7200, 28_800].map((seconds) => seconds * SECOND);

describe('waits', () => {
  for (const [index, planned] of PLANNED.entries()) {
    const attempt = index + 1;
    it(`after attempt ${attempt}: ${planned / SECOND} s, a tenth more or less`, () => {
      assert.equal(waitMs({ attempt, random: 0.5, retryAfterMs: null }), planned);
      assert.equal(waitMs({ attempt, random: 0, retryAfterMs: null }), planned * 0.9);
      fc.assert(
        fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (random) => {
          const wait = waitMs({ attempt, random, retryAfterMs: null });
          return wait >= planned * 0.9 && wait <= planned * 1.1;
        }),
      );
    });
  }

  for (const [name, attempt, retryAfterMs, expected] of [
    ['a longer wish counts', 1, 25 * SECOND, 25 * SECOND],
    ['a shorter one does not', 2, 5 * SECOND, 60 * SECOND],
    ['zero does not', 1, 0, 10 * SECOND],
    ['an hour at most', 1, 48 * HOUR, HOUR],
    ['a wish never shortens a wait that is longer than an hour', 6, HOUR, 8 * HOUR],
  ] as const) {
    it(name, () => assert.equal(waitMs({ attempt, random: 0.5, retryAfterMs }), expected));
  }
});

describe('outcomes', () => {
  for (const [verdict, attempt, isTest, outcome] of [
    ['delivered', 1, false, 'success'],
    ['delivered', 7, false, 'success'],
    ['delivered', 1, true, 'success'],
    ['again', 1, false, 'retry'],
    ['again', 6, false, 'retry'],
    ['again', 7, false, 'dlq'],
    ['again', 1, true, 'perm_fail'],
    ['never', 1, false, 'perm_fail'],
    ['never', 7, false, 'perm_fail'],
    ['never', 1, true, 'perm_fail'],
  ] as const) {
    it(`${verdict} at attempt ${attempt}${isTest ? ' of a test' : ''}: ${outcome}`, () => {
      assert.equal(outcomeOf({ verdict }, { attempt, isTest }), outcome);
    });
  }
});
