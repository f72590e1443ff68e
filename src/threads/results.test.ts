import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_INLINE_CHARS, pooledTasks } from './documents.ts';
import { resultOf, TextResults, withResults } from './results.ts';
import { whereRun } from './slow.fixture.ts';
import { threadTask } from './task.ts';

const task = threadTask(new URL('./slow.fixture.ts', import.meta.url).href, whereRun);
const asking = (input: string, size: number) => ({ task, input, size });

describe('a result about a text', () => {
  it('comes from a thread when the text is long, inside of a transaction too', async () => {
    assert.equal(await resultOf({}, asking('short', MAX_INLINE_CHARS)), 'main');
    assert.equal(await resultOf({}, asking('long', MAX_INLINE_CHARS + 1)), 'thread');
    assert.equal(await resultOf({ tx: {} }, asking('inside', MAX_INLINE_CHARS + 1)), 'thread');
  });

  it('is worked out once, before the transaction that takes it', async () => {
    const before = pooledTasks();
    const ctx = withResults({});
    const texts = ['a', 'b', 'a'].map((input) => asking(input, MAX_INLINE_CHARS + 1));
    await Promise.all(texts.map((text) => resultOf(ctx, text)));
    assert.equal(pooledTasks() - before, 2);

    const inside = withResults({ ...ctx, tx: {} });
    assert.deepEqual(await Promise.all(texts.map((text) => resultOf(inside, text))), ['thread', 'thread', 'thread']);
    assert.equal(pooledTasks() - before, 2);
  });

  it('is the one of its key, whatever else the input holds', async () => {
    const before = pooledTasks();
    const ctx = withResults({});
    for (const time of [1, 2]) await resultOf(ctx, { task, input: time, size: MAX_INLINE_CHARS + 1, key: 'the text' });
    assert.equal(pooledTasks() - before, 1);
  });

  it('of long texts that differ are told apart', async () => {
    const before = pooledTasks();
    const ctx = withResults({});
    for (const letter of ['a', 'b', 'a'])
      await resultOf(ctx, asking(letter.repeat(MAX_INLINE_CHARS + 1), MAX_INLINE_CHARS + 1));
    assert.equal(pooledTasks() - before, 2);
  });

  it('of a small text can be kept, by its whole input', async () => {
    const results = new TextResults();
    assert.equal(
      results.kept(() => asking('a', 1)),
      undefined,
    );

    await results.keep(asking('a', 1));

    assert.equal(await results.kept(() => asking('a', 1)), 'main');
    assert.equal(
      results.kept(() => asking('b', 1)),
      undefined,
    );
  });
});
