// Makes vectors in clusters, like those of texts about the same subjects; the same seed gives the same vectors.
import { normalise } from '../../domain/embedding/quantise.ts';

interface MadeVectors {
  count: number;
  dims: number;
  seed: number;
  // Skips this many vectors, so that queries come from the same clusters.
  from?: number;
}

const CLUSTERS = 500;
const SPREAD = 0.6;

export function madeVectors({ count, dims, seed, from = 0 }: MadeVectors): Float32Array[] {
  return Array.from({ length: count }, (_, index) => madeVector({ dims, seed, number: from + index }));
}

export function madeVector({ dims, seed, number }: { dims: number; seed: number; number: number }): Float32Array {
  const centre = centreOf(dims, seed * 1_000_003 + (number % CLUSTERS));
  const vector = noise(dims, seed * 7_919 + number + 1_000_000_007);
  for (let at = 0; at < dims; at += 1) vector[at] = (centre[at] as number) + SPREAD * (vector[at] as number);
  return normalise(vector);
}

const centres = new Map<string, Float32Array>();

function centreOf(dims: number, seed: number): Float32Array {
  const key = `${dims} ${seed}`;
  const centre = centres.get(key) ?? noise(dims, seed);
  centres.set(key, centre);
  return centre;
}

// The sum of two uniform values approximates a normal distribution.
function noise(dims: number, seed: number): Float32Array {
  let state = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) >>> 0;
  const throwOne = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32 - 0.5;
  };
  const values = new Float32Array(dims);
  for (let at = 0; at < dims; at += 1) values[at] = throwOne() + throwOne();
  return values;
}
