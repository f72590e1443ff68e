import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertLinear, repeated } from './linear.ts';

describe('the growth of work', () => {
  it('is in order where every character is looked at once', () => {
    assertLinear((text) => text.split('').filter((character) => character === 'b'), repeated('ab'));
  });

  it('is not where the whole text is looked at again and again', () => {
    const quadratic = (text: string) => {
      let sum = 0;
      for (let from = 0; from < text.length; from += 150) {
        for (let at = 0; at < text.length; at += 1) sum ^= text.charCodeAt(at);
      }
      return sum;
    };
    assert.throws(() => assertLinear(quadratic, repeated('ab')), /ms for/);
  });
});
