import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { endLongTurn, inTurns } from './turns.ts';

describe('a turn of the event loop', () => {
  it('ends when it has lasted long, and what waits has its turn', async () => {
    let hadTurn = false;
    // The turn in which the test begins may have lasted long already.
    await nextTurn();
    await endLongTurn();
    setImmediate(() => {
      hadTurn = true;
    });
    const began = performance.now();
    while (performance.now() - began < 20);
    assert.equal(hadTurn, false);
    await endLongTurn();
    assert.equal(hadTurn, true);
  });

  it('ends between the parts of long work', async () => {
    let turns = 0;
    function* work(): Generator<void, string> {
      setImmediate(() => {
        turns += 1;
      });
      for (let part = 0; part < 3; part += 1) {
        const began = performance.now();
        while (performance.now() - began < 20);
        yield;
      }
      return `${turns} turns`;
    }
    assert.equal(await inTurns(work()), '1 turns');
  });
});
