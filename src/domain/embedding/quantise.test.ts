import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { bytesOf, cosine, dequantise, normalise, quantise } from './quantise.ts';

function made(seed: number, dims = 384): Float32Array {
  let state = seed;
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31 - 0.5;
  };
  return normalise(Float32Array.from({ length: dims }, next));
}

function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}

describe('quantised vectors', () => {
  it('keep the cosine to a hundredth of a hundredth', () => {
    for (let seed = 1; seed <= 50; seed += 1) {
      const [a, b] = [made(seed), made(seed + 100)];

      assert.ok(Math.abs(cosine(a, quantise(b).data) - dot(a, b)) < 1e-3);
    }
  });

  it('use the whole range of a byte', () => {
    const { data, scale } = quantise(Float32Array.of(0.5, -0.1, 0));

    assert.deepEqual([...data], [127, -25, 0]);
    assert.ok(Math.abs(scale - 0.5 / 127) < 1e-9);
    assert.ok(Math.abs((dequantise({ data, scale })[0] ?? 0) - 0.5) < 1e-6);
  });

  it('zeros have no direction', () => {
    const { data } = quantise(new Float32Array(4));

    assert.deepEqual([...data], [0, 0, 0, 0]);
    assert.equal(cosine(Float32Array.of(1, 0, 0, 0), data), 0);
    assert.deepEqual([...normalise(new Float32Array(2))], [0, 0]);
  });

  it('come back from bytes', () => {
    const row = new Uint8Array([9, 255, 127, 129]).subarray(1);

    assert.deepEqual([...bytesOf(row)], [-1, 127, -127]);
  });
});
