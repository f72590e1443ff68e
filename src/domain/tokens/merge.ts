// Byte-pair encoding of one piece: the adjacent pair of lowest rank, the leftmost among equals, is merged until no pair is a
// token. In a short piece that pair is found by looking at all of them, in a long one by a priority queue, so that a piece of
// n bytes costs n log n instead of n².
import { bytePairRanks, byteRanks, MAX_TOKEN_BYTES, NO_RANK, rankOf } from './rank-table.ts';

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

class PairQueue {
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

// Tokens as a linked list over their start offsets; rank[i] is the rank of the token that starts at i, and pairRank[i] that of
// the token which it would form with its successor.
type TokenChain = { next: Int32Array; previous: Int32Array; rank: Int32Array; pairRank: Int32Array };

// Nearly all pieces are short and share one set of arrays.
const SHORT = 512;
const shortChain = newChain(SHORT);

// Up to this many bytes, looking at all pairs is faster than a queue of them.
const SCANNED = 200;

// The byte offsets at which the tokens of a piece end.
export function tokenEnds(bytes: string): number[] {
  const size = bytes.length;
  const chain = size <= SHORT ? shortChain : newChain(size);
  startChain(chain, bytes);
  if (size <= SCANNED) mergeByScan(chain, bytes);
  else mergeByQueue(chain, bytes);

  const { next } = chain;
  const ends: number[] = [];
  for (let at = 0; at < size; at = next[at] as number) ends.push(next[at] as number);
  return ends;
}

function mergeByScan(chain: TokenChain, bytes: string): void {
  const { next, previous, pairRank } = chain;
  for (;;) {
    let lowest = NO_RANK;
    let start = 0;
    for (let at = 0; at < bytes.length; at = next[at] as number) {
      const rank = pairRank[at] as number;
      if (rank < lowest) {
        lowest = rank;
        start = at;
      }
    }
    if (lowest === NO_RANK) return;
    mergePair(chain, start);
    pairRank[start] = rankOfPair(chain, bytes, start);
    if (start === 0) continue;
    const before = previous[start] as number;
    pairRank[before] = rankOfPair(chain, bytes, before);
  }
}

function mergeByQueue(chain: TokenChain, bytes: string): void {
  const { previous, pairRank } = chain;
  const queue = new PairQueue();
  for (let at = 0; at < bytes.length; at += 1) {
    if (pairRank[at] !== NO_RANK) queue.add(pairRank[at] as number, at);
  }
  const rankAgain = (start: number): void => {
    const rank = rankOfPair(chain, bytes, start);
    pairRank[start] = rank;
    if (rank !== NO_RANK) queue.add(rank, start);
  };
  for (let start = queue.take(); start >= 0; start = queue.take()) {
    // A pair is stale when it has been merged since. It never gets an earlier rank again, so that comparing ranks is enough.
    if (pairRank[start] !== queue.rank) continue;
    mergePair(chain, start);
    rankAgain(start);
    if (start > 0) rankAgain(previous[start] as number);
  }
}

// Makes one token of each byte, and ranks the pairs that they form.
function startChain({ next, previous, rank: ownRank, pairRank }: TokenChain, bytes: string): void {
  const ranks = bytePairRanks();
  const bytesRanks = byteRanks();
  const last = bytes.length - 1;
  for (let at = 0; at <= last; at += 1) {
    const byte = bytes.charCodeAt(at);
    next[at] = at + 1;
    previous[at + 1] = at;
    ownRank[at] = bytesRanks[byte] as number;
    pairRank[at] = at < last ? (ranks[byte * 256 + bytes.charCodeAt(at + 1)] as number) : NO_RANK;
  }
}

function mergePair({ next, previous, rank: ownRank, pairRank }: TokenChain, start: number): void {
  const middle = next[start] as number;
  const end = next[middle] as number;
  ownRank[start] = pairRank[start] as number;
  pairRank[middle] = NO_RANK;
  next[start] = end;
  previous[end] = start;
}

function rankOfPair({ next, rank: ownRank }: TokenChain, bytes: string, start: number): number {
  const middle = next[start] as number;
  if (middle >= bytes.length) return NO_RANK;
  const end = next[middle] as number;
  if (end - start > MAX_TOKEN_BYTES) return NO_RANK;
  return joinedRank(ownRank[start] as number, ownRank[middle] as number, bytes, start, end);
}

// A direct-mapped cache of the ranks of merged pairs. The same syllables recur, and comparing two numbers is faster than
// looking up their bytes.
const PAIR_SLOTS = 1 << 16;
const firsts = new Int32Array(PAIR_SLOTS).fill(NO_RANK);
const seconds = new Int32Array(PAIR_SLOTS);
const joined = new Int32Array(PAIR_SLOTS);

function joinedRank(first: number, second: number, bytes: string, start: number, end: number): number {
  const hash = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
  const slot = (hash ^ (hash >>> 15)) & (PAIR_SLOTS - 1);
  if (firsts[slot] === first && seconds[slot] === second) return joined[slot] as number;
  const rank = rankOf(bytes, start, end);
  firsts[slot] = first;
  seconds[slot] = second;
  joined[slot] = rank;
  return rank;
}

function newChain(size: number): TokenChain {
  return {
    next: new Int32Array(size + 1),
    previous: new Int32Array(size + 1),
    rank: new Int32Array(size + 1),
    pairRank: new Int32Array(size + 1),
  };
}
