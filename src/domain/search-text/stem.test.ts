import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stem } from './stem.ts';

describe('stem', () => {
  const families: [string, string][] = [
    ['cach', 'cache caches cached caching'],
    ['webhook', 'webhook webhooks'],
    ['configur', 'configure configured configuring configuration configurable'],
    ['depend', 'depend depends dependent dependency dependencies'],
    ['secur', 'secure secured security'],
    ['hop', 'hopping hopped hops'],
    ['hope', 'hope hoping'],
    ['agre', 'agree agreed'],
    ['feed', 'feed feeds'],
    ['proxi', 'proxy proxies'],
    ['technolog', 'technology technologies technological'],
    ['possibl', 'possible possibly'],
    ['control', 'controll control controlling'],
    ['class', 'class classes'],
    ['us', 'us use used using'],
    ['ts', 'ts'],
    ['10', '10 10s'],
    ['4s', '4s'],
    ['\u4e2d', '\u4e2d'],
    ['ma\u00f8', 'ma\u00f8ing ma\u00f8s'],
  ];
  for (const [expected, words] of families) {
    it(`${words}: ${expected}`, () => {
      for (const word of words.split(' ')) assert.equal(stem(word), expected, word);
    });
  }

  it('leaves words of more than 64 bytes alone', () => {
    assert.equal(stem(`${'a'.repeat(61)}ing`), `${'a'.repeat(61)}`);
    assert.equal(stem(`${'a'.repeat(62)}ing`), `${'a'.repeat(62)}ing`);
  });
});
