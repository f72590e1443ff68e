// The pairs of a long piece in the order in which they are merged: by rank, and by offset within a rank. Pairs of one rank
// are mostly added from left to right, so that a heap holds the ascending runs of them, and not every pair.

// Larger than any offset, so that rank * OFFSETS + offset sorts by rank and then by offset.
const OFFSETS = 2 ** 32;

// Pairs of one rank in ascending order; those before `at` have been taken.
interface Run {
  rank: number;
  offsets: number[];
  at: number;
}

export class PairQueue {
  // A binary heap of runs, lowest first, and beside each run the key of the first pair that is left in it.
  readonly #runs: Run[] = [];
  readonly #keys: number[] = [];
  // The run of each rank that was begun last.
  readonly #latest = new Map<number, Run>();
  // The run that pairs are taken from. It is not in the heap.
  #current: Run = { rank: -1, offsets: [], at: 0 };

  // The rank of the pair that was taken last.
  get rank(): number {
    return this.#current.rank;
  }

  add(rank: number, offset: number): void {
    const run = this.#latest.get(rank);
    if (run !== undefined && run.at < run.offsets.length && (run.offsets[run.offsets.length - 1] as number) < offset) {
      run.offsets.push(offset);
      return;
    }
    const begun: Run = { rank, offsets: [offset], at: 0 };
    this.#latest.set(rank, begun);
    this.#push(begun);
  }

  // The offset of the lowest pair, -1 when there is none.
  take(): number {
    const { rank, offsets, at } = this.#current;
    if (at === offsets.length) {
      if (this.#runs.length === 0) return -1;
      this.#current = this.#pop();
    } else if (this.#runs.length > 0 && rank * OFFSETS + (offsets[at] as number) > (this.#keys[0] as number)) {
      const lower = this.#runs[0] as Run;
      this.#sink(this.#current);
      this.#current = lower;
    }
    const current = this.#current;
    const offset = current.offsets[current.at] as number;
    current.at += 1;
    return offset;
  }

  #push(run: Run): void {
    const keys = this.#keys;
    const runs = this.#runs;
    const key = keyOf(run);
    let at = runs.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if ((keys[parent] as number) <= key) break;
      keys[at] = keys[parent] as number;
      runs[at] = runs[parent] as Run;
      at = parent;
    }
    keys[at] = key;
    runs[at] = run;
  }

  // Removes the lowest run of a heap that is not empty.
  #pop(): Run {
    const top = this.#runs[0] as Run;
    const last = this.#runs.pop() as Run;
    this.#keys.pop();
    if (this.#runs.length > 0) this.#sink(last);
    return top;
  }

  // Puts a run in the place of the lowest.
  #sink(run: Run): void {
    const keys = this.#keys;
    const runs = this.#runs;
    const key = keyOf(run);
    const size = runs.length;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= size) break;
      if (child + 1 < size && (keys[child + 1] as number) < (keys[child] as number)) child += 1;
      if ((keys[child] as number) >= key) break;
      keys[at] = keys[child] as number;
      runs[at] = runs[child] as Run;
      at = child;
    }
    keys[at] = key;
    runs[at] = run;
  }
}

function keyOf(run: Run): number {
  return run.rank * OFFSETS + (run.offsets[run.at] as number);
}
