// The native HNSW index over stored vectors.
import { Index, MetricKind, ScalarKind } from 'usearch';

const CONNECTIVITY = 16;
const EXPANSION_ADD = 128;
const EXPANSION_SEARCH = 64;
const ONE_THREAD = 1;

export interface Neighbour {
  key: number;
  cosine: number;
}

export class Hnsw {
  readonly dims: number;
  readonly #index: Index;

  constructor(dims: number) {
    this.dims = dims;
    this.#index = new Index({
      dimensions: dims,
      metric: MetricKind.Cos,
      quantization: ScalarKind.I8,
      connectivity: CONNECTIVITY,
      expansion_add: EXPANSION_ADD,
      expansion_search: EXPANSION_SEARCH,
      multi: false,
    });
  }

  get size(): number {
    return this.#index.size();
  }

  put(key: number, vector: Int8Array): void {
    this.remove(key);
    this.#index.add(BigInt(key), asGiven(vector), ONE_THREAD);
  }

  has(key: number): boolean {
    return this.#index.contains(BigInt(key)) === true;
  }

  // The index refuses a key that exists, so it is removed first.
  remove(key: number): boolean {
    if (!this.has(key)) return false;
    this.#index.remove(BigInt(key));
    return true;
  }

  nearest(query: Int8Array, count: number): Neighbour[] {
    if (this.size === 0) return [];
    const { keys, distances } = this.#index.search(asGiven(query), Math.min(count, this.size), ONE_THREAD);
    return Array.from(keys, (key, at) => ({ key: Number(key), cosine: 1 - (distances[at] ?? 1) }));
  }

  save(path: string): void {
    this.#index.save(path);
  }

  load(path: string): void {
    this.#index.load(path);
  }

  // Takes the place of what the index had; it cannot be changed from then on.
  view(path: string): void {
    this.#index.view(path);
  }
}

// The library's JavaScript turns bytes into floats, and its native side those into coarser bytes than ours: a sixteenth
// of the range. It leaves alone what calls itself an array of floats, and the native side takes bytes as they are.
function asGiven(vector: Int8Array): Int8Array {
  return Object.defineProperty(Int8Array.from(vector), 'constructor', { value: Float32Array });
}
