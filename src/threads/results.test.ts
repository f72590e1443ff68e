import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pooledTasks, SMALL } from './documents.ts';
import { resultOf, withResults } from './results.ts';
import { whereRun } from './slow.fixture.ts';
import { threadTask } from './task.ts';

const task = threadTask(new URL('./slow.fixture.ts', import.meta.url).href, whereRun);
const asking = (input: string, size: number) => ({ task, input, size });

describe('a result about a text', () => {
  it('comes from a thread when the text is long, inside of a transaction too', async () => {
    assert.equal(await resultOf({}, asking('short', SMALL)), 'main');
    assert.equal(await resultOf({}, asking('long', SMALL + 1)), 'thread');
    assert.equal(await resultOf({ tx: {} }, asking('inside', SMALL + 1)), 'thread');
  });

  it('is worked out once, before the transaction that takes it', async () => {
    const before = pooledTasks();
    const ctx = withResults({});
    const texts = ['a', 'b', 'a'].map((input) => asking(input, SMALL + 1));
    await Promise.all(texts.map((text) => resultOf(ctx, text)));
    assert.equal(pooledTasks() - before, 2);

    const inside = withResults({ ...ctx, tx: {} });
    assert.deepEqual(await Promise.all(texts.map((text) => resultOf(inside, text))), ['thread', 'thread', 'thread']);
    assert.equal(pooledTasks() - before, 2);
  });

  it('is the one of its key, whatever else the input holds', async () => {
    const before = pooledTasks();
    const ctx = withResults({});
    for (const time of [1, 2]) await resultOf(ctx, { task, input: time, size: SMALL + 1, key: 'the text' });
    assert.equal(pooledTasks() - before, 1);
  });

  it('of long texts that differ are told apart', async () => {
    const before = pooledTasks();
    const ctx = withResults({});
    for (const letter of ['a', 'b', 'a']) await resultOf(ctx, asking(letter.repeat(SMALL + 1), SMALL + 1));
    assert.equal(pooledTasks() - before, 2);
  });
});
