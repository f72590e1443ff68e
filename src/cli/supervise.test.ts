import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { EventEmitter } from 'node:events';
import { describe, it } from 'node:test';
import { pino } from 'pino';
import { READY_MESSAGE, supervise } from './supervise.ts';

const silent = pino({ level: 'silent' });

class Child extends EventEmitter {
  signals: string[] = [];

  kill(signal: string): void {
    this.signals.push(signal);
    queueMicrotask(() => this.emit('exit', 0, null));
  }
}

function setUp() {
  const children: Child[] = [];
  const pauses: number[] = [];
  let waiting: (() => void) | null = null;
  const supervised = supervise({
    name: 'worker',
    start: () => {
      const child = new Child();
      children.push(child);
      return child as unknown as ChildProcess;
    },
    log: silent,
    timers: {
      set(work, milliseconds) {
        pauses.push(milliseconds);
        waiting = work;
        return work;
      },
      clear() {
        waiting = null;
      },
    },
  });
  const passPause = () => {
    const work = waiting;
    waiting = null;
    work?.();
  };
  return { children, pauses, supervised, passPause, isWaiting: () => waiting !== null };
}

describe('supervise', () => {
  it('starts a process again, as often as it dies', () => {
    const { children, passPause } = setUp();
    for (let death = 0; death < 100; death += 1) {
      children.at(-1)?.emit('message', READY_MESSAGE);
      children.at(-1)?.emit('exit', null, 'SIGKILL');
      passPause();
    }

    assert.equal(children.length, 101);
  });

  it('gives one that never begins its work more and more time, within bounds', () => {
    const { children, pauses, passPause } = setUp();
    for (let death = 0; death < 9; death += 1) {
      children.at(-1)?.emit('exit', 1, null);
      passPause();
    }
    children.at(-1)?.emit('message', READY_MESSAGE);
    children.at(-1)?.emit('exit', null, 'SIGKILL');

    assert.deepEqual(pauses, [250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000, 10_000, 250]);
  });

  it('passes the signal on and starts nothing afterwards', async () => {
    const { children, supervised, isWaiting } = setUp();

    await supervised.stop('SIGTERM');

    assert.deepEqual(children[0]?.signals, ['SIGTERM']);
    assert.deepEqual([children.length, isWaiting()], [1, false]);
  });

  it('stops also while it waits to start a process again', async () => {
    const { children, supervised, isWaiting } = setUp();
    children[0]?.emit('exit', 1, null);

    await supervised.stop('SIGTERM');

    assert.deepEqual([children.length, isWaiting()], [1, false]);
  });

  it('kills a child that does not hear the signal', async () => {
    const { children, supervised, pauses, passPause } = setUp();
    const [child] = children;
    assert.ok(child);
    child.kill = (signal) => {
      child.signals.push(signal);
      if (signal === 'SIGKILL') queueMicrotask(() => child.emit('exit', null, 'SIGKILL'));
    };

    const stopped = supervised.stop('SIGTERM');
    assert.deepEqual(child.signals, ['SIGTERM']);
    assert.ok((pauses.at(-1) ?? Number.NaN) < 10_000);
    passPause();
    await stopped;

    assert.deepEqual(child.signals, ['SIGTERM', 'SIGKILL']);
  });
});
