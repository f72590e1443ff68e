import assert from 'node:assert/strict';
import { it } from 'node:test';
import { readSafetensors, SafetensorsWriter } from './safetensors.ts';

function file(header: object, halves: number[]): Uint8Array {
  const text = Buffer.from(JSON.stringify(header));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(text.length));
  // One byte in front, so that nothing relies on where a buffer begins.
  return Buffer.concat([Buffer.of(0), length, text, Buffer.from(new Float16Array(halves).buffer)]).subarray(1);
}

it('reads tensors by their names', () => {
  const header = {
    __metadata__: { format: 'pt' },
    ids: { dtype: 'I64', shape: [1], data_offsets: [0, 8] },
    a: { dtype: 'F16', shape: [2], data_offsets: [0, 4] },
    b: { dtype: 'F16', shape: [1, 1], data_offsets: [4, 6] },
  };
  const read = readSafetensors(file(header, [1.5, -2, 0.25]));

  assert.deepEqual(read('a'), { shape: [2], values: Float32Array.of(1.5, -2) });
  assert.deepEqual(read('b'), { shape: [1, 1], values: Float32Array.of(0.25) });
  assert.throws(() => read('c'), /lack c/);
  assert.throws(() => read('ids'), /lack ids/);
});

it('writes a file that it reads, and tells where each tensor begins', () => {
  const writer = new SafetensorsWriter();
  const bytes = new Uint8Array(new Float16Array([1.5, -2]).buffer);
  const first = writer.add('a', { dtype: 'F16', shape: [2], bytes });
  const second = writer.add('b', { dtype: 'U8', shape: [1], bytes: Uint8Array.of(7) });
  const written = Buffer.concat(writer.finish());

  assert.deepEqual(readSafetensors(written)('a').values, Float32Array.of(1.5, -2));
  assert.deepEqual([written.subarray(first, second), written[second]], [Buffer.from(bytes), 7]);
});
