import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endLongTurn } from './turns.ts';

describe('a turn of the event loop', () => {
  it('ends when it has lasted long, and what waits has its turn', async () => {
    let hadTurn = false;
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
});
