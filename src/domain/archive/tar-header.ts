import { ArchiveRefused } from './refusal.ts';

export const BLOCK = 512;

export interface TarHeader {
  name: string;
  size: number;
  // The type flag as a character; the old form of a plain file has none and counts as `0`.
  type: string;
}

const NAME = [0, 100] as const;
const SIZE = [124, 12] as const;
const CHECKSUM = [148, 8] as const;
const TYPE = 156;
const MAGIC = 257;
const PREFIX = 345;

export function isZeroBlock(block: Uint8Array): boolean {
  return block.every((byte) => byte === 0);
}

export function readHeader(block: Uint8Array): TarHeader {
  if (!checksumHolds(block)) throw new ArchiveRefused('damaged', 'the checksum of an entry is wrong');
  const flag = block[TYPE] ?? 0;
  const short = textField(block, ...NAME);
  const prefix = isPosix(block) ? textField(block, PREFIX, prefixLength(block)) : '';
  return {
    name: prefix ? `${prefix}/${short}` : short,
    size: numberField(block, ...SIZE),
    type: flag === 0 ? '0' : String.fromCharCode(flag),
  };
}

// Old writers summed signed bytes; a block that holds under either reading is taken.
function checksumHolds(block: Uint8Array): boolean {
  const [start, length] = CHECKSUM;
  let unsigned = 0;
  let signed = 0;
  for (let index = 0; index < BLOCK; index += 1) {
    const byte = index >= start && index < start + length ? 0x20 : (block[index] ?? 0);
    unsigned += byte;
    signed += byte > 127 ? byte - 256 : byte;
  }
  const said = numberField(block, start, length);
  return said === unsigned || said === signed;
}

// Only the POSIX form has a prefix: the GNU form keeps times in the same place.
function isPosix(block: Uint8Array): boolean {
  return ascii(block, MAGIC, 6) === 'ustar\0';
}

// A writer that keeps two times behind the prefix leaves byte 130 of it empty.
function prefixLength(block: Uint8Array): number {
  return block[PREFIX + 130] === 0 ? 130 : 155;
}

function textField(block: Uint8Array, start: number, length: number): string {
  const field = block.subarray(start, start + length);
  const end = field.indexOf(0);
  return utf8(end < 0 ? field : field.subarray(0, end));
}

// Octal digits between blanks, or, with the top bit set, a binary number.
function numberField(block: Uint8Array, start: number, length: number): number {
  const first = block[start] ?? 0;
  if (first & 0x80) return binaryField(block.subarray(start, start + length));
  const digits = ascii(block, start, length)
    .replace(/[\0 ]+$/, '')
    .replace(/^[\0 ]+/, '');
  if (digits === '') return 0;
  if (!/^[0-7]+$/.test(digits)) throw new ArchiveRefused('damaged', 'a number in the header of an entry is no number');
  return Number.parseInt(digits, 8);
}

function binaryField(field: Uint8Array): number {
  const [first = 0, ...rest] = field;
  if (first !== 0x80) throw new ArchiveRefused('damaged', 'an entry has a negative or endless size');
  const value = rest.reduce((sum, byte) => sum * 256 + byte, 0);
  if (!Number.isSafeInteger(value)) throw new ArchiveRefused('too_large', 'an entry says a size that no archive has');
  return value;
}

function ascii(block: Uint8Array, start: number, length: number): string {
  return String.fromCharCode(...block.subarray(start, start + length));
}

const decoder = new TextDecoder();

export function utf8(bytes: Uint8Array): string {
  return decoder.decode(bytes);
}
