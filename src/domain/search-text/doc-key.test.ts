import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { docKey, firstKeyOfMinute, lastKeyOfMinute, minuteOf, minuteOfKey } from './doc-key.ts';

const instant = fc.integer({ min: 0, max: 253402300799 }).map((second) => new Date(second * 1000).toISOString());

describe('docKey', () => {
  it('stays a safe integer inside the keys of its minute, and orders by minute', () => {
    fc.assert(
      fc.property(instant, instant, fc.nat({ max: 2 ** 40 }), (a, b, seq) => {
        const key = docKey(a, seq);
        assert.ok(Number.isSafeInteger(key));
        assert.equal(minuteOfKey(key), minuteOf(a));
        assert.ok(key >= firstKeyOfMinute(minuteOf(a)) && key <= lastKeyOfMinute(minuteOf(a)));
        if (minuteOf(a) < minuteOf(b)) assert.ok(key < docKey(b, 0));
      }),
    );
  });
});
