// Weight matrices as bytes: a quarter of the memory, and integer products, which take less than half the time.
import { SafetensorsWriter, type StoredTensor, storedTensors, type Tensor } from './safetensors.ts';

const MAX_INT8 = 127;

// Bytes are unsigned around this zero. Signed ones would be the same numbers, but on x64 processors without VNNI their
// products saturate, and vectors would depend on the machine that made them.
export const ZERO_POINT = 128;

// What the scales of a matrix are called beside it.
export const SCALES = '.scale';

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

// A file of weights in half precision, as the WebAssembly engine takes them; matrices of bytes are multiplied by their scales.
export function halfPrecision(file: Uint8Array): Uint8Array {
  const stored = storedTensors(file);
  if (![...stored.values()].some(({ dtype }) => dtype === 'U8')) return file;
  const writer = new SafetensorsWriter();
  for (const [name, tensor] of stored) {
    const scales = stored.get(name + SCALES);
    if (scales) writer.add(name, halvesOf(tensor, new Float32Array(Uint8Array.from(scales.bytes).buffer)));
    else if (tensor.dtype === 'F16') writer.add(name, tensor);
  }
  return Buffer.concat(writer.finish());
}

// The package has matrices of the shape [outputs, inputs].
function halvesOf({ shape: [rows = 0, columns = 0], bytes }: StoredTensor, scales: Float32Array): StoredTensor {
  const halves = new Float16Array(rows * columns);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const value = (bytes[row * columns + column] ?? 0) - ZERO_POINT;
      halves[column * rows + row] = value * (scales[column] ?? 0);
    }
  }
  return { dtype: 'F16', shape: [columns, rows], bytes: new Uint8Array(halves.buffer) };
}
