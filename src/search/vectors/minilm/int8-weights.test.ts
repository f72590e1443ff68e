import assert from 'node:assert/strict';
import { it } from 'node:test';
import { halfPrecision, quantiseColumns, SCALES, ZERO_POINT } from './int8-weights.ts';
import { readSafetensors, SafetensorsWriter } from './safetensors.ts';

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

it('matrices of bytes become those of the package again, and all else stays as it is', () => {
  const { shape, values, scales } = quantiseColumns({ shape: [2, 1], values: Float32Array.of(2, -254) });
  const writer = new SafetensorsWriter();
  const bias = { dtype: 'F16', shape: [1], bytes: new Uint8Array(new Float16Array([0.5]).buffer) } as const;
  writer.add('matrix', { dtype: 'U8', shape, bytes: values });
  writer.add(`matrix${SCALES}`, { dtype: 'F32', shape: [1], bytes: new Uint8Array(scales.buffer) });
  writer.add('bias', bias);
  const read = readSafetensors(halfPrecision(Buffer.concat(writer.finish())));

  assert.deepEqual(read('matrix'), { shape: [1, 2], values: Float32Array.of(2, -254) });
  assert.deepEqual(read('bias'), { shape: [1], values: Float32Array.of(0.5) });
  assert.throws(() => read(`matrix${SCALES}`), /lack/);
  const plain = new SafetensorsWriter();
  plain.add('bias', bias);
  const file = Buffer.concat(plain.finish());
  assert.equal(halfPrecision(file), file);
});
