import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { movableClock } from '../../../test/support/clock.ts';
import type { Context } from '../../context.ts';
import { cachedAnswers } from './index-counts.ts';
import { NOW } from './test-support.ts';

function setUp(most = 10) {
  const clock = movableClock(NOW);
  // All that is asked of a context here.
  const ctx = { clock, store: {} } as unknown as Context;
  const kept = cachedAnswers<number>({ maxAgeMs: (answer) => answer * 1000, most });
  let reads = 0;
  const ask = (key: string, answer: number) =>
    kept(ctx, key, async () => {
      reads += 1;
      return answer;
    });
  return { clock, ctx, kept, ask, reads: () => reads };
}

describe('cachedAnswers', () => {
  it('reads again when an answer is no longer good', async () => {
    const { ask, clock } = setUp();

    assert.equal(await ask('a', 5), 5);
    clock.move(4_999);
    assert.equal(await ask('a', 6), 5);
    clock.move(1);
    assert.equal(await ask('a', 6), 6);
    clock.move(-1);
    assert.equal(await ask('a', 7), 7);
  });

  it('shares an answer that is on its way', async () => {
    const { ask, reads } = setUp();

    await Promise.all([ask('a', 5), ask('a', 5)]);

    assert.equal(reads(), 1);
  });

  it('keeps no error', async () => {
    const { ask, kept, ctx } = setUp();

    await assert.rejects(kept(ctx, 'a', () => Promise.reject(new Error('no'))));
    assert.equal(await ask('a', 5), 5);
  });

  it('lets the oldest go, and keeps stores apart', async () => {
    const { ask, kept, ctx, reads } = setUp(2);

    for (const key of ['a', 'b', 'c', 'c']) await ask(key, 5);
    assert.equal(reads(), 3);
    await ask('a', 5);
    assert.equal(reads(), 4);
    assert.equal(await kept({ ...ctx, store: {} as Context['store'] }, 'a', async () => 9), 9);
  });
});
