import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as breathe } from 'node:timers/promises';
import { pino } from 'pino';
import type { Context } from '../context.ts';
import { type BackgroundTask, createLoop, createWorker, type LoopTask, type LoopTimers, type Pass } from './worker.ts';

// Timers that fire when the test says so.
function handTimers() {
  const waiting = new Map<number, { work: () => void; milliseconds: number }>();
  let next = 1;
  const timers: LoopTimers = {
    set(work, milliseconds) {
      waiting.set(next, { work, milliseconds });
      next += 1;
      return next - 1;
    },
    clear: (timer) => void waiting.delete(timer as number),
  };
  return {
    timers,
    pauses: () => [...waiting.values()].map(({ milliseconds }) => milliseconds),
    async fireFirst() {
      const [first] = waiting;
      if (!first) return;
      waiting.delete(first[0]);
      first[1].work();
      await breathe();
    },
    async fire() {
      const due = [...waiting.values()];
      waiting.clear();
      for (const { work } of due) work();
      await breathe();
    },
  };
}

function setUp(run: LoopTask['run']) {
  const hand = handTimers();
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  const loop = createLoop({ name: 'sweep', everyMs: 5000, run }, { log, timers: hand.timers });
  return { ...hand, lines, loop };
}

describe('loop', () => {
  it('passes at once, then after each pause', async () => {
    let passes = 0;
    const { loop, fire, pauses } = setUp(async () => {
      passes += 1;
      return 'idle';
    });

    loop.start();
    loop.start();
    await breathe();

    assert.equal(passes, 1);
    assert.deepEqual(pauses(), [5000]);
    await fire();
    assert.equal(passes, 2);
    await loop.stop();
    assert.deepEqual(pauses(), []);
  });

  it('goes on at once when a pass left something to do', async () => {
    const left: Pass[] = ['more', 'idle'];
    const { loop, fire, pauses } = setUp(async () => left.shift() ?? 'idle');

    loop.start();
    await breathe();

    assert.deepEqual(pauses(), [0]);
    await fire();
    assert.deepEqual(pauses(), [5000]);
  });

  it('passes at once when it is woken from its pause, and only then', async () => {
    let passes = 0;
    const { loop, pauses } = setUp(async () => {
      passes += 1;
      return 'idle';
    });

    loop.wake();
    loop.start();
    loop.wake();
    await breathe();
    assert.equal(passes, 1);
    loop.wake();
    await breathe();

    assert.equal(passes, 2);
    assert.deepEqual(pauses(), [5000]);
    await loop.stop();
    loop.wake();
    await breathe();
    assert.equal(passes, 2);
  });

  it('survives an error and says which loop it was', async () => {
    const { loop, lines, pauses } = setUp(() => Promise.reject(new Error('disk full')));

    loop.start();
    await breathe();

    assert.deepEqual(pauses(), [5000]);
    const [line] = lines.map((text) => JSON.parse(text));
    assert.equal(line.loop, 'sweep');
    assert.equal(line.err.message, 'disk full');
  });

  it('stops after the running pass, whose signal is raised, and starts no other', async () => {
    let reported = false;
    let finish: (left: Pass) => void = () => {};
    const { loop, pauses } = setUp((signal) => {
      signal.addEventListener('abort', () => {
        reported = true;
      });
      return new Promise((resolve) => {
        finish = resolve;
      });
    });
    loop.start();
    await breathe();

    let stopped = false;
    const stopping = loop.stop().then(() => {
      stopped = true;
    });
    await breathe();

    assert.deepEqual([reported, stopped], [true, false]);
    finish('more');
    await stopping;
    await breathe();
    assert.deepEqual(pauses(), []);
  });

  it('drains until nothing is left, also without having been started, and passes errors on', async () => {
    const left: (Pass | Error)[] = ['more', 'more', 'idle', new Error('no')];
    const { loop } = setUp(async () => {
      const next = left.shift() ?? 'idle';
      if (next instanceof Error) throw next;
      return next;
    });

    await loop.drain();

    assert.equal(left.length, 1);
    await assert.rejects(loop.drain(), /no/);
  });
});

describe('worker', () => {
  it('wakes the task that has work when another found some', async () => {
    const hand = handTimers();
    const passes: string[] = [];
    const found: Pass[] = ['idle', 'more'];
    const task = (name: string, left: () => Pass, wakes?: string): BackgroundTask => ({
      name,
      everyMs: 5000,
      ...(wakes ? { wakes } : {}),
      async run() {
        passes.push(name);
        return left();
      },
    });
    const tasks = [
      task('finding', () => found.shift() ?? 'idle', 'sending'),
      task('sending', () => 'idle'),
      task('other', () => 'idle'),
    ];
    const worker = createWorker({ log: pino({ level: 'silent' }) } as Context, { tasks, timers: hand.timers });

    worker.start();
    await breathe();
    assert.deepEqual(passes.splice(0), ['finding', 'sending', 'other']);
    await hand.fireFirst();

    assert.deepEqual(passes, ['finding', 'sending']);
    await worker.stop();
  });
});
