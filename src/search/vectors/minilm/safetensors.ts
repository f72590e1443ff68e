// Weights as files: a header of names and positions, then the numbers. The package ships them in half precision; the model as we
// load it has the matrices of its layers as bytes.
import { z } from 'zod';

const location = z.object({
  dtype: z.enum(['F16', 'F32', 'U8']),
  shape: z.array(z.number().int()),
  data_offsets: z.tuple([z.number().int(), z.number().int()]),
});

export interface Tensor {
  shape: number[];
  values: Float32Array;
}

export interface StoredTensor {
  dtype: z.infer<typeof location>['dtype'];
  shape: readonly number[];
  bytes: Uint8Array;
}

export function readSafetensors(file: Uint8Array): (name: string) => Tensor {
  const stored = storedTensors(file);
  return (name) => {
    const tensor = stored.get(name);
    if (tensor?.dtype !== 'F16') throw new Error(`the weights lack ${name}`);
    const halves = new Float16Array(Uint8Array.from(tensor.bytes).buffer);
    return { shape: [...tensor.shape], values: new Float32Array(halves) };
  };
}

// The tensors of a file by name, without those of other kinds of numbers.
export function storedTensors(file: Uint8Array): Map<string, StoredTensor> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const start = 8 + Number(view.getBigUint64(0, true));
  const locations: Record<string, unknown> = JSON.parse(new TextDecoder().decode(file.subarray(8, start)));
  return new Map(
    Object.entries(locations).flatMap(([name, value]) => {
      const { success, data } = location.safeParse(value);
      if (!success) return [];
      const [from, to] = data.data_offsets;
      return [[name, { dtype: data.dtype, shape: data.shape, bytes: file.subarray(start + from, start + to) }]];
    }),
  );
}

// Room for the header, so that a tensor has its place before the names of all are known.
const HEADER_BYTES = 32 * 1024;

export class SafetensorsWriter {
  readonly #locations: Record<string, z.infer<typeof location>> = {};
  readonly #parts: Uint8Array[] = [];
  #end = 0;

  // Returns where the tensor begins in the file.
  add(name: string, { dtype, shape, bytes }: StoredTensor): number {
    const start = this.#end;
    this.#parts.push(bytes);
    this.#end += bytes.length;
    this.#locations[name] = { dtype, shape: [...shape], data_offsets: [start, this.#end] };
    return HEADER_BYTES + start;
  }

  // The parts of the file in their order.
  finish(): Uint8Array[] {
    const header = Buffer.alloc(HEADER_BYTES, ' ');
    const text = JSON.stringify(this.#locations);
    if (8 + Buffer.byteLength(text) > HEADER_BYTES) throw new Error('too many names for the header');
    header.writeBigUInt64LE(BigInt(HEADER_BYTES - 8));
    header.write(text, 8);
    return [header, ...this.#parts];
  }
}
