import assert from 'node:assert/strict';
import { it } from 'node:test';
import { quantiseColumns, ZERO_POINT } from './int8-weights.ts';

it('each column has a scale of its own', () => {
  const { shape, values, scales } = quantiseColumns({
    shape: [2, 3],
    values: Float32Array.of(1.27, -254, 0, 0.5, 2, 0),
  });

  assert.deepEqual(shape, [2, 3]);
  assert.deepEqual(
    [...scales].map((scale) => Number(scale.toFixed(6))),
    [0.01, 2, 1],
  );
  assert.deepEqual(
    [...values].map((value) => value - ZERO_POINT),
    [127, -127, 0, 50, 1, 0],
  );
});
