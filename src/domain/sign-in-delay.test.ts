import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { signInDelay } from './sign-in-delay.ts';

describe('the wait before the next try at an account', () => {
  const cases: [guesses: number, seconds: number][] = [
    [0, 0],
    [1, 0],
    [50, 0],
    [51, 1],
    [52, 2],
    [53, 4],
    [56, 32],
    [57, 60],
    [100, 60],
    [1_000_000, 60],
  ];
  for (const [guesses, seconds] of cases) {
    it(`is ${seconds} s after ${guesses} wrong passwords`, () => assert.equal(signInDelay(guesses), seconds));
  }
});
