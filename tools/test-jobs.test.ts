import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isIdle, runBeside } from './test-jobs.ts';

describe('jobs beside each other', () => {
  it('are all done, each once, and an error of one ends the run', async () => {
    const done: number[] = [];
    await runBeside(Array.from({ length: 20 }, (_, index) => async () => void done.push(index)));
    assert.deepEqual(
      done,
      [...done].sort((a, b) => a - b),
    );
    assert.equal(done.length, 20);
    await assert.rejects(runBeside([() => Promise.reject(new Error('x'))]), /x/);
  });

  const cases: [name: string, seconds: { idle: number; own: number }, cores: number, expected: boolean][] = [
    ['all at work', { idle: 0.1, own: 3.8 }, 2, false],
    ['one core waits', { idle: 2, own: 2 }, 2, true],
    ['somebody else uses it', { idle: 0.2, own: 2 }, 2, false],
    ['the idle ones are not for this process', { idle: 50, own: 3.9 }, 2, false],
  ];
  for (const [name, { idle, own }, cores, expected] of cases) {
    it(`another one begins when cores are idle: ${name}`, () => {
      const from = { at: 1000, idleMs: 70_000, ownMs: 500 };
      const to = { at: 3000, idleMs: 70_000 + idle * 1000, ownMs: 500 + own * 1000 };
      assert.equal(isIdle(from, to, cores), expected);
    });
  }
});
