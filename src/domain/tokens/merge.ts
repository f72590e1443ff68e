// Byte-pair encoding of one piece: the adjacent pair of lowest rank, the leftmost among equals, is merged until no pair is a
// token. A priority queue finds that pair, so that a piece of n bytes costs n log n instead of n².
import { bytePairRanks, byteRanks, LONGEST_TOKEN_BYTES, NO_RANK, rankTable } from './rank-table.ts';

// Larger than any offset, so that rank * OFFSETS + offset sorts by rank and then by offset.
const OFFSETS = 2 ** 32;

// Tokens as a linked list over their start offsets; rank[i] is the rank of the token that starts at i, and pairRank[i] that of
// the token which it would form with its successor.
type TokenChain = { next: Int32Array; previous: Int32Array; rank: Int32Array; pairRank: Int32Array };

// Nearly all pieces are short and share one set of arrays.
const SHORT = 512;
const shortChain = newChain(SHORT);

// The byte offsets at which the tokens of a piece end.
export function tokenEnds(bytes: string): number[] {
  const size = bytes.length;
  const chain = size <= SHORT ? shortChain : newChain(size);
  const { next, previous, rank: ownRank, pairRank } = chain;
  const queue = startChain(chain, bytes);

  while (queue.length > 0) {
    const lowest = popLowest(queue);
    const rank = Math.floor(lowest / OFFSETS);
    const start = lowest - rank * OFFSETS;
    // An entry is stale when its pair has been merged since. A pair never gets an earlier rank again, so that comparing ranks
    // is enough.
    if (pairRank[start] !== rank) continue;
    const middle = next[start] as number;
    const end = next[middle] as number;
    pairRank[middle] = NO_RANK;
    ownRank[start] = rank;
    next[start] = end;
    previous[end] = start;
    rankPair(chain, queue, bytes, start);
    if (start > 0) rankPair(chain, queue, bytes, previous[start] as number);
  }

  const ends: number[] = [];
  for (let at = 0; at < size; at = next[at] as number) ends.push(next[at] as number);
  return ends;
}

// Makes one token of each byte, and returns the queue of the pairs that they form.
function startChain({ next, previous, rank: ownRank, pairRank }: TokenChain, bytes: string): number[] {
  const ranks = bytePairRanks();
  const bytesRanks = byteRanks();
  const queue: number[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    next[at] = at + 1;
    previous[at + 1] = at;
    ownRank[at] = bytesRanks[bytes.charCodeAt(at)] as number;
    const pair = at + 1 < bytes.length ? bytes.charCodeAt(at) * 256 + bytes.charCodeAt(at + 1) : -1;
    const rank = pair < 0 ? NO_RANK : (ranks[pair] as number);
    pairRank[at] = rank;
    if (rank !== NO_RANK) pushValue(queue, rank * OFFSETS + at);
  }
  return queue;
}

function rankPair({ next, rank: ownRank, pairRank }: TokenChain, queue: number[], bytes: string, start: number): void {
  const middle = next[start] as number;
  const end = middle < bytes.length ? (next[middle] as number) : bytes.length;
  const joinable = middle < bytes.length && end - start <= LONGEST_TOKEN_BYTES;
  const rank = joinable ? joinedRank(ownRank[start] as number, ownRank[middle] as number, bytes, start, end) : NO_RANK;
  pairRank[start] = rank;
  if (rank !== NO_RANK) pushValue(queue, rank * OFFSETS + start);
}

// A direct-mapped cache of the ranks of merged pairs. The same syllables recur, and comparing two numbers is faster than
// looking up their bytes.
const PAIR_SLOTS = 1 << 14;
const firsts = new Int32Array(PAIR_SLOTS).fill(NO_RANK);
const seconds = new Int32Array(PAIR_SLOTS);
const joined = new Int32Array(PAIR_SLOTS);

function joinedRank(first: number, second: number, bytes: string, start: number, end: number): number {
  const hash = Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b);
  const slot = (hash ^ (hash >>> 15)) & (PAIR_SLOTS - 1);
  if (firsts[slot] === first && seconds[slot] === second) return joined[slot] as number;
  const rank = rankTable().get(bytes.slice(start, end)) ?? NO_RANK;
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

// A binary heap of numbers in a plain array, lowest first.
function pushValue(heap: number[], value: number): void {
  let at = heap.length;
  heap.push(value);
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent] as number;
    if (above <= value) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = value;
}

// Removes the lowest value from a heap that is not empty.
function popLowest(heap: number[]): number {
  const top = heap[0] as number;
  const value = heap.pop() as number;
  const size = heap.length;
  if (size === 0) return top;
  let at = 0;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= size) break;
    if (child + 1 < size && (heap[child + 1] as number) < (heap[child] as number)) child += 1;
    const lower = heap[child] as number;
    if (lower >= value) break;
    heap[at] = lower;
    at = child;
  }
  heap[at] = value;
  return top;
}
