// Byte-pair merging: again and again the adjacent pair of lowest rank, the leftmost among equals, becomes one token.
// A priority queue finds that pair, so that one unbroken run of n bytes costs n log n instead of n².
import { bytePairRanks, LONGEST_TOKEN_BYTES, NO_RANK, rankTable } from './rank-table.ts';

// Above any offset, so that rank * OFFSETS + offset sorts by rank and then by offset.
const OFFSETS = 2 ** 32;

// Tokens as a linked list over their start offsets; pairRank[i] is the rank of token i joined with its successor.
type TokenChain = { next: Int32Array; previous: Int32Array; pairRank: Int32Array };

// Short pieces, which are nearly all, share one set of arrays.
const SHORT = 512;
const shortRow = newRow(SHORT);

// The tokens of one piece, given as the byte offset at which each ends.
export function tokenEnds(bytes: string): number[] {
  const size = bytes.length;
  const row = size <= SHORT ? shortRow : newRow(size);
  const { next, previous, pairRank } = row;
  const queue = startRow(row, bytes);

  while (queue.length > 0) {
    const lowest = popLowest(queue);
    const rank = Math.floor(lowest / OFFSETS);
    const start = lowest - rank * OFFSETS;
    // An entry is stale when its pair has grown or was swallowed since: a pair never returns to an earlier rank.
    if (pairRank[start] !== rank) continue;
    const middle = next[start] as number;
    const end = next[middle] as number;
    pairRank[middle] = NO_RANK;
    next[start] = end;
    previous[end] = start;
    rankPair(row, queue, bytes, start);
    if (start > 0) rankPair(row, queue, bytes, previous[start] as number);
  }

  const ends: number[] = [];
  for (let at = 0; at < size; at = next[at] as number) ends.push(next[at] as number);
  return ends;
}

// One token for each byte, and the queue of the pairs that they form.
function startRow({ next, previous, pairRank }: TokenChain, bytes: string): number[] {
  const ranks = bytePairRanks();
  const queue: number[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    next[at] = at + 1;
    previous[at + 1] = at;
    const pair = at + 1 < bytes.length ? bytes.charCodeAt(at) * 256 + bytes.charCodeAt(at + 1) : -1;
    const rank = pair < 0 ? NO_RANK : (ranks[pair] as number);
    pairRank[at] = rank;
    if (rank !== NO_RANK) pushValue(queue, rank * OFFSETS + at);
  }
  return queue;
}

function rankPair({ next, pairRank }: TokenChain, queue: number[], bytes: string, start: number): void {
  const middle = next[start] as number;
  const end = middle < bytes.length ? (next[middle] as number) : bytes.length;
  const joinable = middle < bytes.length && end - start <= LONGEST_TOKEN_BYTES;
  const rank = joinable ? (rankTable().get(bytes.slice(start, end)) ?? NO_RANK) : NO_RANK;
  pairRank[start] = rank;
  if (rank !== NO_RANK) pushValue(queue, rank * OFFSETS + start);
}

function newRow(size: number): TokenChain {
  return {
    next: new Int32Array(size + 1),
    previous: new Int32Array(size + 1),
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

// Takes the lowest value off a heap that is not empty.
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
