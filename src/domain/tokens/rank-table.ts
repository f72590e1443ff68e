// The vocabulary of cl100k_base: the rank of each token, which decides the order of merges.
import { createRequire } from 'node:module';

// No token of cl100k_base has more bytes.
export const LONGEST_TOKEN_BYTES = 128;
// Above every rank, so that what is no token is never the lowest.
export const NO_RANK = 0x7fff_ffff;

let table: Map<string, number> | undefined;
let byteTable: Int32Array | undefined;
let pairTable: Int32Array | undefined;

// The rank of each token by its bytes, which are written as characters 0–255. It is loaded on first use, because reading the
// vocabulary takes longer than the rest of the start of the service.
export function rankTable(): Map<string, number> {
  table ??= readTable();
  return table;
}

// Ranks of the tokens of one byte.
export function byteRanks(): Int32Array {
  byteTable ??= Int32Array.from({ length: 256 }, (_, byte) => rankTable().get(String.fromCharCode(byte)) ?? NO_RANK);
  return byteTable;
}

// The ranks of the tokens of two bytes, at first * 256 + second. They have a table of their own, because all merging begins
// with them.
export function bytePairRanks(): Int32Array {
  pairTable ??= readPairs(rankTable());
  return pairTable;
}

// The UTF-8 bytes of a text as characters 0–255, the keys of the table. A lone surrogate becomes U+FFFD.
export function byteString(text: string): string {
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) > 0x7f) return Buffer.from(text, 'utf8').toString('latin1');
  }
  return text;
}

function readTable(): Map<string, number> {
  // An import would be loaded at start, and import() would make every caller asynchronous.
  const require = createRequire(import.meta.url);
  const { default: vocabulary } = require('gpt-tokenizer/bpeRanks/cl100k_base') as { default: (string | number[])[] };
  const ranks = new Map<string, number>();
  vocabulary.forEach((token, rank) => {
    ranks.set(typeof token === 'string' ? byteString(token) : String.fromCharCode(...token), rank);
  });
  return ranks;
}

function readPairs(ranks: Map<string, number>): Int32Array {
  const pairs = new Int32Array(0x10000).fill(NO_RANK);
  for (const [bytes, rank] of ranks) {
    if (bytes.length === 2) pairs[bytes.charCodeAt(0) * 256 + bytes.charCodeAt(1)] = rank;
  }
  return pairs;
}
