import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createLoopTimers } from './loop-timers.ts';
import type { Timers } from './timers.ts';

// A loop of our own: it turns in steps of 50 ms, or is held and then runs what has fallen due meanwhile.
function handLoop() {
  let time = 0;
  const due = new Set<{ at: number; run: () => void }>();
  const base: Timers = {
    now: () => time,
    after(ms, run) {
      const entry = { at: time + ms, run };
      due.add(entry);
      return () => due.delete(entry);
    },
  };
  function turn(): void {
    const ready = [...due].filter(({ at }) => at <= time).sort((one, other) => one.at - other.at);
    for (const entry of ready) if (due.delete(entry)) entry.run();
  }
  return {
    base,
    waiting: () => due.size,
    // Time goes on, and nothing runs.
    pass(ms: number) {
      time += ms;
    },
    hold(ms: number) {
      time += ms;
      turn();
    },
    idle(ms: number) {
      for (const end = time + ms; time < end; ) {
        time += 50;
        turn();
      }
    },
  };
}

describe('timers of the loop', () => {
  function setUp(ms: number) {
    const loop = handLoop();
    const timers = createLoopTimers(loop.base);
    let fired = 0;
    const cancel = timers.after(ms, () => {
      fired += 1;
    });
    return { loop, timers, cancel, fired: () => fired };
  }

  it('fire in time while the loop turns', () => {
    const { loop, fired } = setUp(1_000);
    loop.idle(950);
    assert.equal(fired(), 0);
    loop.idle(50);
    assert.equal(fired(), 1);
    assert.equal(loop.waiting(), 0);
  });

  it('do not count what the loop was held', () => {
    const { loop, timers, fired } = setUp(1_000);
    loop.idle(500);
    const before = timers.now();
    loop.hold(30_000);
    assert.equal(fired(), 0);
    assert.equal(timers.now() - before, 200);
    loop.idle(250);
    assert.equal(fired(), 0);
    loop.idle(100);
    assert.equal(fired(), 1);
  });

  it('stand still even when the time is read while the loop is blocked', () => {
    const { loop, timers } = setUp(60_000);
    const seen: number[] = [];
    loop.base.after(0, () => {});
    for (let step = 0; step < 5; step += 1) {
      loop.hold(5_000);
      seen.push(timers.now());
    }
    assert.ok(
      seen.every((time, at) => at === 0 || time - (seen[at - 1] ?? 0) <= 200),
      seen.join(),
    );
  });

  it('leave nothing behind when they are called off', () => {
    const { loop, cancel, fired } = setUp(1_000);
    loop.idle(200);
    cancel();
    cancel();
    assert.equal(loop.waiting(), 0);
    loop.idle(5_000);
    assert.equal(fired(), 0);
  });

  it('never run backwards', () => {
    const { loop, timers, cancel } = setUp(10_000);
    const seen = [timers.now()];
    for (const step of [50, 3_000, 120, 250, 90, 8_000]) {
      for (let part = 0; part < 4; part += 1) {
        loop.pass(step / 4);
        seen.push(timers.now());
      }
      loop.hold(0);
      seen.push(timers.now());
    }
    cancel();
    seen.push(timers.now());
    loop.hold(500);
    seen.push(timers.now());
    assert.deepEqual(
      seen,
      seen.toSorted((a, b) => a - b),
    );
  });
});
