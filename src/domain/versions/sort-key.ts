import { type SchemeSetting, schemeOfFirstNumber, type VersionScheme } from './numbers.ts';
import type { PrePart, Suffix } from './suffix.ts';

const MAX_DIGITS = 26;
const SURROGATE = /[\ud800-\udfff]/;

// The order key: epoch, numbers without trailing zeros, then the phase. Phases are digits and numbers begin with a
// letter, so a version sorts before the longer ones that extend it. Null when a number is too long to be keyed.
export function buildSortKey(epoch: string, numbers: readonly string[], suffix: Suffix): string | null {
  const keys = [epoch, ...withoutTrailingZeros(numbers)].map(numberKey);
  const phase = phaseKey(suffix);
  if (phase === null || keys.includes(null)) return null;
  return keys.join('') + phase;
}

const MAX_FEED_KEY = 120;

// The part of a key that orders releases of the same time in feeds and stands in their cursors: short, and plain ASCII,
// so that it compares the same in code and in both databases. Empty without a version.
export function feedVersionOf(key: string | null): string {
  return /^[!-~]*/.exec(key ?? '')?.[0].slice(0, MAX_FEED_KEY) ?? '';
}

// Order of two keys by their UTF-8 bytes, as both databases compare them.
export function compareVersionKeys(a: string, b: string): number {
  if (a === b) return 0;
  // Without surrogates, code-unit order is byte order; nearly every key is plain ASCII.
  if (!SURROGATE.test(a) && !SURROGATE.test(b)) return a < b ? -1 : 1;
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

// The scheme of a stored key; a setting other than `auto` overrides what the key says.
export function schemeOfKey(key: string, setting: SchemeSetting = 'auto'): VersionScheme {
  if (setting !== 'auto') return setting;
  const first = numberAt(key, 1 + digitCount(key, 0));
  return first === null ? 'numeric' : schemeOfFirstNumber(first);
}

function phaseKey({ pre, post }: Suffix): string | null {
  if (post !== null) {
    const number = numberKey(post);
    return number === null ? null : `3${number}`;
  }
  if (pre.length === 0) return '2';
  const parts = pre.map(partKey);
  return parts.includes(null) ? null : `1${parts.join('')}2`;
}

function partKey(part: PrePart): string | null {
  if (part.kind === 'dev') return '1';
  if (part.kind === 'word') return `4${part.text}!`;
  const number = numberKey(part.text);
  return number === null ? null : `3${number}`;
}

function numberKey(digits: string): string | null {
  return digits.length > MAX_DIGITS ? null : String.fromCharCode(64 + digits.length) + digits;
}

function withoutTrailingZeros(numbers: readonly string[]): readonly string[] {
  return numbers.slice(0, numbers.findLastIndex((number) => number !== '0') + 1);
}

function numberAt(key: string, at: number): string | null {
  const count = digitCount(key, at);
  return count === 0 ? null : key.slice(at + 1, at + 1 + count);
}

function digitCount(key: string, at: number): number {
  const count = key.charCodeAt(at) - 64;
  return count >= 1 && count <= MAX_DIGITS ? count : 0;
}
