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
  const centre = noise(dims, seed * 1_000_003 + (number % CLUSTERS));
  const own = noise(dims, seed * 7_919 + number + 1_000_000_007);
  return normalise(centre.map((value, at) => value + SPREAD * (own[at] ?? 0)));
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
  return Float32Array.from({ length: dims }, () => throwOne() + throwOne());
}
