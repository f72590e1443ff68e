import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRandom } from './seeded-random.ts';

describe('random', () => {
  it('repeats itself for the same seed and differs for another', () => {
    const draw = (seed: number) => Array.from({ length: 5 }, createRandom(seed).next);

    assert.deepEqual(draw(1), draw(1));
    assert.notDeepEqual(draw(1), draw(2));
  });

  it('forks without moving', () => {
    const [a, b] = [createRandom(3), createRandom(3)];
    a.fork('side').next();

    assert.equal(a.next(), b.next());
  });

  it('draws evenly within bounds', () => {
    const random = createRandom('dice');
    const counts = [0, 0, 0, 0, 0, 0];
    for (let i = 0; i < 6000; i++) {
      const face = random.int(1, 6) - 1;
      counts[face] = (counts[face] ?? 0) + 1;
    }

    assert.ok(counts.every((count) => count > 850 && count < 1150));
  });

  it('weights, shuffles and samples', () => {
    const random = createRandom(9);

    assert.equal(
      random.weighted([
        ['never', 0],
        ['always', 1],
      ] as const),
      'always',
    );
    assert.deepEqual(random.shuffle([1, 2, 3, 4]).sort(), [1, 2, 3, 4]);
    assert.equal(new Set(random.sample([1, 2, 3, 4, 5], 3)).size, 3);
    assert.throws(() => random.pick([]), RangeError);
  });
});
