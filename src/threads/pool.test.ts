import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { TaskPool } from './pool.ts';
import { double, fail, hoard, nest, spin, waitForWord } from './slow.fixture.ts';
import { TaskFailed, TaskTimeout, TooManyTasks, threadTask } from './task.ts';

const module = new URL('./slow.fixture.ts', import.meta.url).href;
const doubling = threadTask(module, double);
const spinning = threadTask(module, spin);

describe('the thread pool', () => {
  const pool = new TaskPool({ name: 'documents', threads: 1, limitMs: 60_000, maxQueued: 3, memoryMb: 32 });
  after(() => pool.close());

  it('does tasks in the order in which they came', async () => {
    assert.deepEqual(await Promise.all([1, 2, 3].map((value) => pool.run(doubling, value))), [2, 4, 6]);
  });

  it('stops what takes too long, and goes on with the next task', async () => {
    const stopped = pool.run(spinning, undefined as never, { limitMs: 50 });
    const next = pool.run(doubling, 21);
    await assert.rejects(stopped, (error: TaskTimeout) => error instanceof TaskTimeout && error.limitMs === 50);
    assert.equal(await next, 42);
  });

  it('ends a task that nobody waits for any longer, running or not yet begun', async () => {
    const word = new Int32Array(new SharedArrayBuffer(8));
    const stop = new AbortController();
    const options = { signal: stop.signal };
    const running = pool.run(threadTask(module, waitForWord), word, options);
    const waiting = pool.run(spinning, undefined as never, options);
    const next = pool.run(doubling, 3);
    await Atomics.waitAsync(word, 0, 0).value;
    stop.abort();

    await assert.rejects(running, { name: 'AbortError' });
    await assert.rejects(waiting, { name: 'AbortError' });
    await assert.rejects(pool.run(doubling, 1, options), { name: 'AbortError' });
    assert.equal(await next, 6);
  });

  it('stays free meanwhile: the caller hears its own clock', async () => {
    const stopped = pool.run(spinning, undefined as never, { limitMs: 100 }).catch(() => 'stopped');
    let turns = 0;
    while ((await Promise.race([stopped, new Promise((resolve) => setImmediate(resolve, 'turn'))])) === 'turn')
      turns += 1;
    assert.ok(turns > 10);
  });

  it('does not stop a task that only waits for the processor, however long', async () => {
    const two = new TaskPool({ name: 'documents', threads: 2, limitMs: 50, maxQueued: 1 });
    const word = new Int32Array(new SharedArrayBuffer(8));
    const waiting = two.run(threadTask(module, waitForWord), word);
    await Atomics.waitAsync(word, 0, 0).value;
    // This one has the same limit, and uses it up.
    await assert.rejects(two.run(spinning, undefined as never), TaskTimeout);
    Atomics.store(word, 1, 1);
    Atomics.notify(word, 1);
    assert.equal(await waiting, 'waited');
    await two.close();
  });

  it('hands on what a task throws', async () => {
    await assert.rejects(pool.run(threadTask(module, fail), 'no feed'), { name: 'TypeError', message: 'no feed' });
    assert.equal(await pool.run(doubling, 4), 8);
  });

  it('outlives a task that wants more memory than a thread may have', async () => {
    const code = 'ERR_WORKER_OUT_OF_MEMORY';
    const stopped = { name: 'TaskOutOfMemory', message: 'needs more than 32 MB of memory', code };
    await assert.rejects(pool.run(threadTask(module, hoard), undefined as never), stopped);
    assert.equal(await pool.run(doubling, 5), 10);
  });

  it('stops what nests deeper than the stack, thread and all', async () => {
    const nesting = threadTask(module, nest);
    await assert.rejects(pool.run(nesting, 'within'), { name: 'TaskFailed', message: 'is nested too deeply' });
    // What is handed over is walked by the thread, too.
    await assert.rejects(pool.run(nesting, 'answered'), TaskFailed);
    assert.equal(await pool.run(doubling, 7), 14);
  });

  it('stops whatever a task throws where it is the fault of what it read', async () => {
    const fragile = new TaskPool({ name: 'documents', limitMs: 60_000, maxQueued: 3, threads: 1, stopsAtFaults: true });
    const stopped = { name: 'TaskFailed', message: 'cannot be worked out: no feed' };
    await assert.rejects(fragile.run(threadTask(module, fail), 'no feed'), stopped);
    await assert.rejects(fragile.run(doubling, (() => 1) as never), { name: 'DataCloneError' });
    assert.equal(await fragile.run(doubling, 8), 16);
    await fragile.close();
  });

  it('refuses input that cannot be cloned', async () => {
    await assert.rejects(pool.run(doubling, (() => 1) as never), { name: 'DataCloneError' });
    assert.equal(await pool.run(doubling, 6), 12);
  });

  it('refuses more than may wait', async () => {
    const running = pool.run(spinning, undefined as never, { limitMs: 50 });
    const waiting = [1, 2, 3].map((value) => pool.run(doubling, value));
    await assert.rejects(pool.run(doubling, 4), TooManyTasks);
    await assert.rejects(running, TaskTimeout);
    assert.deepEqual(await Promise.all(waiting), [2, 4, 6]);
  });
});
