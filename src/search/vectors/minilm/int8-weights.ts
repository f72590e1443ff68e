// Weight matrices as bytes: a quarter of the memory, and integer products, which take less than half the time.
import type { Tensor } from './safetensors.ts';

const MAX_INT8 = 127;

// Bytes are unsigned around this zero. Signed ones would be the same numbers, but on x64 processors without VNNI their
// products saturate, and vectors would depend on the machine that made them.
export const ZERO_POINT = 128;

interface Int8Weights {
  shape: number[];
  values: Uint8Array;
  // One scale for each column.
  scales: Float32Array;
}

// Quantises a matrix of the shape [inputs, outputs]; each column uses the whole range of a byte.
export function quantiseColumns({ shape, values }: Tensor): Int8Weights {
  const [rows = 0, columns = 0] = shape;
  const scales = new Float32Array(columns);
  for (let at = 0; at < values.length; at += 1) {
    const column = at % columns;
    scales[column] = Math.max(scales[column] ?? 0, Math.abs(values[at] ?? 0));
  }
  for (let column = 0; column < columns; column += 1) scales[column] = (scales[column] ?? 0) / MAX_INT8 || 1;
  const bytes = new Uint8Array(rows * columns);
  for (let at = 0; at < values.length; at += 1) {
    bytes[at] = Math.round((values[at] ?? 0) / (scales[at % columns] ?? 1)) + ZERO_POINT;
  }
  return { shape: [rows, columns], values: bytes, scales };
}
