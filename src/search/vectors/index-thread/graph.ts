// The neighbours of one kind in two layers: a file that is mapped, so that all processes of a machine share its memory, and
// what changed since that file was written.
import { Hnsw, type Neighbour } from './hnsw.ts';

export class Graph {
  readonly #dims: number;
  #mapped: Hnsw | null = null;
  #recent: Hnsw;
  // Keys of the file that were changed or removed since.
  readonly #replaced = new Set<number>();

  constructor(dims: number) {
    this.#dims = dims;
    this.#recent = new Hnsw(dims);
  }

  // All there is where no file is mapped.
  get recent(): Hnsw {
    return this.#recent;
  }

  get size(): number {
    return (this.#mapped?.size ?? 0) - this.#replaced.size + this.#recent.size;
  }

  put(key: number, vector: Int8Array): void {
    if (this.#mapped?.has(key)) this.#replaced.add(key);
    this.#recent.put(key, vector);
  }

  remove(key: number): void {
    if (this.#mapped?.has(key)) this.#replaced.add(key);
    this.#recent.remove(key);
  }

  nearest(query: Int8Array, count: number): Neighbour[] {
    const recent = this.#recent.nearest(query, count);
    if (!this.#mapped) return recent;
    const spare = Math.min(this.#replaced.size, count);
    const older = this.#mapped.nearest(query, count + spare).filter(({ key }) => !this.#replaced.has(key));
    if (recent.length === 0) return older.slice(0, count);
    return [...older, ...recent].sort((a, b) => b.cosine - a.cosine).slice(0, count);
  }

  // `index` has what the file has. Mapping gives memory back that the garbage collector does not see, and the old file.
  map(file: string, index: Hnsw): void {
    index.view(file);
    this.#mapped?.view(file);
    this.#mapped = index;
    this.#recent = new Hnsw(this.#dims);
    this.#replaced.clear();
  }
}
