import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { assertLinear, isConvicting, repeated, steepTimes } from './growth.ts';

describe('the growth of work', () => {
  it('is in order where every character is looked at once', () => {
    assertLinear((text) => text.split('').filter((character) => character === 'b'), repeated('ab'));
  });

  it('is not where the whole text is looked at again and again', () => {
    let length = 0;
    const quadratic = (text: string) => {
      length = text.length;
      let sum = 0;
      for (let from = 0; from < text.length; from += 4) sum += text.indexOf('c', from % 7);
      return sum;
    };
    // A clock that goes by the work, because how fast the engine looks for a character differs between machines.
    const byWork = (run: () => unknown) => {
      run();
      return length ** 2 / 1e8;
    };
    assert.throws(() => assertLinear(quadratic, repeated('ab'), { elapsed: byWork, spent: byWork }), /ms for/);
  });

  // Readers that take what their formula says, by a clock that they advance.
  const readers: [name: string, ms: (size: number) => number, convicted: boolean][] = [
    ['linear', (n) => n / 1e3, false],
    ['linear and slow', (n) => n / 20, false],
    ['linear with a large constant', (n) => 500 + n / 1e3, false],
    ['linear times its logarithm', (n) => (n * Math.log2(n)) / 1e4, false],
    ['quadratic, but in no time', (n) => n ** 2 / 1e9, false],
    ['quadratic', (n) => n ** 2 / 1e8, true],
    ['quadratic beside linear work', (n) => n ** 2 / 1e8 + n / 1e5, true],
    ['quadratic, more than its linear work from 5,000 on', (n) => n ** 2 / 1e8 + n / 2e4, true],
    ['quadratic and slow', (n) => n ** 2 / 1e5, true],
    ['cubic', (n) => n ** 3 / 1e12, true],
  ];
  for (const [name, ms, convicted] of readers) {
    for (const firstSize of [500, 4_000]) {
      it(`${name}, looked at from ${firstSize}: ${convicted ? 'too steep' : 'in order'}`, () => {
        let now = 0;
        const time = (run: () => unknown) => {
          const start = now;
          run();
          return now - start;
        };
        const read = (size: number) => {
          now += ms(size);
        };
        const clocks = { elapsed: time, spent: time };
        assert.equal(steepTimes({ read, make: (size) => size, firstSize, clocks }) !== null, convicted);
      });
    }
  }

  const table: [times: number[], convicting: boolean][] = [
    [[20, 40, 80], false],
    [[50, 110, 230], false],
    [[20, 80, 320], true],
    [[400, 1_600, 6_400], true],
    [[1, 4, 16], false],
    [[50, 110], false],
    [[5_000], true],
  ];
  for (const [times, convicting] of table) {
    it(`${times.join(', ')} ms: ${convicting ? 'too steep' : 'in order'}`, () => {
      assert.equal(isConvicting(times), convicting);
    });
  }
});
