import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { computed, computeInline, requireComputed, whenComputed } from './computed.ts';
import { pooledTasks, SMALL } from './documents.ts';
import { whereRun } from './slow.fixture.ts';
import { threadTask } from './task.ts';

const task = threadTask(new URL('./slow.fixture.ts', import.meta.url).href, whereRun);
const asking = (input: string, size: number) => ({ task, input, size });

describe('a result about a text', () => {
  it('comes from a thread when the text is long, and the work that needs it runs again', async () => {
    let runs = 0;
    const found = await whenComputed(async () => {
      runs += 1;
      return [computed(asking('short', SMALL)), computed(asking('long', SMALL + 1))];
    });

    assert.deepEqual(found, ['main', 'thread']);
    assert.equal(runs, 2);
  });

  it('is asked for together with others, and worked out once', async () => {
    const before = pooledTasks();
    let runs = 0;
    await whenComputed(async () => {
      runs += 1;
      const texts = ['a', 'b', 'a'].map((input) => asking(input, SMALL + 1));
      requireComputed(texts);
      return texts.map(computed);
    });

    assert.equal(runs, 2);
    assert.equal(pooledTasks() - before, 2);
  });

  it('is the one of its key, whatever else the input holds', async () => {
    let time = 0;
    const found = await whenComputed(async () => {
      time += 1;
      return computed({ task, input: time, size: SMALL + 1, key: 'the text' });
    });

    assert.equal(found, 'thread');
    assert.equal(time, 2);
  });

  it('belongs to the outermost run', async () => {
    let outer = 0;
    await whenComputed(async () => {
      outer += 1;
      return whenComputed(async () => computed(asking('inner', SMALL + 1)));
    });

    assert.equal(outer, 2);
  });

  it('is worked out at once where nobody waits for it', async () => {
    assert.equal(computed(asking('outside', SMALL + 1)), 'main');
    assert.equal(await computeInline(async () => whenComputed(async () => computed(asking('own', SMALL + 1)))), 'main');
    let later: Promise<string> | undefined;
    const { promise, resolve } = Promise.withResolvers<void>();
    await whenComputed(async () => {
      later ??= promise.then(() => computed(asking('after the run', SMALL + 1)));
    });
    resolve();
    assert.equal(await later, 'main');
  });

  it('other errors end the work', async () => {
    await assert.rejects(
      whenComputed(async () => {
        throw new Error('no');
      }),
      /no/,
    );
  });
});
