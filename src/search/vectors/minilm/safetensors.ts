// Weights as the package ships them: a header of names and positions, then half-precision numbers.
import { z } from 'zod';

const location = z.object({
  dtype: z.literal('F16'),
  shape: z.array(z.number().int()),
  data_offsets: z.tuple([z.number().int(), z.number().int()]),
});

export interface Tensor {
  shape: number[];
  values: Float32Array;
}

export function readSafetensors(file: Uint8Array): (name: string) => Tensor {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const start = 8 + Number(view.getBigUint64(0, true));
  const locations: Record<string, unknown> = JSON.parse(new TextDecoder().decode(file.subarray(8, start)));
  return (name) => {
    const { success, data } = location.safeParse(locations[name]);
    if (!success) throw new Error(`the weights lack ${name}`);
    const [from, to] = data.data_offsets;
    const halves = new Float16Array(Uint8Array.from(file.subarray(start + from, start + to)).buffer);
    return { shape: data.shape, values: new Float32Array(halves) };
  };
}
