// Version ranges as dependency files write them: `6.x`, `^6.0.0`, `~6.1`, `>=6 <7`, `1.2 - 2`, `~=1.4`, `1 || 2`.
import { compareVersionKeys, versionSort } from '../versions/index.ts';
import {
  type Comparator,
  type ComparatorVersion,
  comparatorsOf,
  type Edge,
  HYPHEN,
  OPERATOR,
  readPartial,
} from './range-comparators.ts';

interface KeyEdge {
  key: string;
  inclusive: boolean;
}

// The keys between two edges; null is open on that side. Each excluded window reaches from its first edge to its second.
export interface KeyInterval {
  lower: KeyEdge | null;
  upper: KeyEdge | null;
  excluded: readonly { from: KeyEdge; to: KeyEdge }[];
}

export interface VersionRange {
  // The lowest version that the range admits.
  lowest: string;
  // The range admits a version that lies in one of these intervals.
  intervals: readonly KeyInterval[];
  // The range admits every version.
  isAny: boolean;
}

interface WrittenRange {
  packagePart: string | null;
  // Null when the text looks like a range but cannot be parsed.
  range: VersionRange | null;
}

export function isLatest(to: string): boolean {
  return to.toLowerCase() === 'latest';
}

// Reads a range; null for a text that is none, such as a version or a name.
export function readAskedRange(text: string): WrittenRange | null {
  const trimmed = text.trim();
  const at = trimmed.lastIndexOf('@');
  const rest = at > 0 ? trimmed.slice(at + 1) : trimmed;
  if (!looksLikeRange(rest)) return null;
  const packagePart = at > 0 ? trimmed.slice(0, at).replace(/^npm:/, '') : null;
  return { packagePart, range: readVersionRange(rest) };
}

const WILDCARD = /^v?(?:\d{1,26}\.){0,3}[x*](?:\.(?:[x*]|\d{1,26})){0,3}$/i;

// Whether a text is written like a range, readable or not. Such a text is never taken for a version.
function looksLikeRange(text: string): boolean {
  const trimmed = text.trim();
  return trimmed.includes('||') || OPERATOR.test(trimmed) || WILDCARD.test(trimmed) || isHyphenRange(trimmed);
}

function isHyphenRange(text: string): boolean {
  const [, low, high] = HYPHEN.exec(text) ?? [];
  return low !== undefined && high !== undefined && readPartial(low) !== null && readPartial(high) !== null;
}

const MAX_RANGE_LENGTH = 200;

export function readVersionRange(text: string): VersionRange | null {
  if (text.length > MAX_RANGE_LENGTH) return null;
  const found: Alternative[] = [];
  for (const part of text.split('||')) {
    const comparators = comparatorsOf(part);
    if (comparators === null) return null;
    const alternative = intersect(comparators);
    if (alternative !== null) found.push(alternative);
  }
  const [lowest] = found.map((one) => one.lowest).sort((a, b) => compareVersionKeys(a.key, b.key));
  if (lowest === undefined) return null;
  const isAny = found.some(({ interval: { lower, upper, excluded } }) => !lower && !upper && excluded.length === 0);
  return { lowest: lowest.version, intervals: found.map(({ interval }) => interval), isAny };
}

// Whether every version that the range admits lies below the key.
export function liesBelow({ intervals }: VersionRange, key: string): boolean {
  return intervals.every(({ upper }) => {
    if (upper === null) return false;
    const order = compareVersionKeys(upper.key, key);
    return order < 0 || (order === 0 && !upper.inclusive);
  });
}

interface Alternative {
  lowest: { version: string; key: string };
  interval: KeyInterval;
}

interface Limit extends KeyEdge {
  edge: Edge;
}

// The versions that satisfy all comparators; null when there are none or a number is too large to be put in order.
function intersect(comparators: readonly Comparator[]): Alternative | null {
  let lower: Limit | null = null;
  let upper: Limit | null = null;
  const excluded: { from: Limit; to: Limit }[] = [];
  for (const { from, to, isExclusion } of comparators) {
    const [low, high] = [limitOf(from), limitOf(to)];
    if (low === 'unreadable' || high === 'unreadable') return null;
    if (isExclusion) {
      if (low && high) excluded.push({ from: low, to: high });
      continue;
    }
    if (low && (lower === null || isAbove(low, lower))) lower = low;
    if (high && (upper === null || isBelow(high, upper))) upper = high;
  }
  const lowest = lowestIn(lower, excluded);
  if (lowest === null || (upper && !reaches(upper, lowest.key))) return null;
  return { lowest, interval: { lower: plain(lower), upper: plain(upper), excluded: excluded.map(plainBoth) } };
}

function limitOf(edge: Edge | null): Limit | null | 'unreadable' {
  if (edge === null) return null;
  const key = versionSort(textOf(edge.version));
  return key === null ? 'unreadable' : { key, inclusive: edge.inclusive, edge };
}

function isAbove(a: KeyEdge, b: KeyEdge): boolean {
  const order = compareVersionKeys(a.key, b.key);
  return order > 0 || (order === 0 && !a.inclusive);
}

function isBelow(a: KeyEdge, b: KeyEdge): boolean {
  const order = compareVersionKeys(a.key, b.key);
  return order < 0 || (order === 0 && !a.inclusive);
}

function reaches({ key, inclusive }: KeyEdge, other: string): boolean {
  const order = compareVersionKeys(key, other);
  return order > 0 || (order === 0 && inclusive);
}

const ZERO: ComparatorVersion = { numbers: ['0', '0', '0'], suffix: '' };

// The lowest admitted version. A candidate inside an excluded window moves to its end, so each window moves it at most once.
function lowestIn(
  lower: Limit | null,
  excluded: readonly { from: Limit; to: Limit }[],
): { version: string; key: string } | null {
  let version = lower === null ? ZERO : lower.inclusive ? lower.edge.version : above(lower.edge.version);
  const rising = [...excluded].sort((a, b) => compareVersionKeys(a.from.key, b.from.key));
  for (const { from, to } of rising) {
    const key = versionSort(textOf(version));
    if (key === null) return null;
    const isInside = compareVersionKeys(key, from.key) >= 0 && reaches(to, key);
    if (isInside) version = to.inclusive ? above(to.edge.version) : to.edge.version;
  }
  const key = versionSort(textOf(version));
  return key === null ? null : { version: textOf(version), key };
}

// The lowest final version above a version: the final form of a pre-release, else the next patch.
function above({ numbers, suffix }: ComparatorVersion): ComparatorVersion {
  if (suffix !== '') return { numbers, suffix: '' };
  const last = numbers.at(-1) ?? '0';
  return { numbers: [...numbers.slice(0, -1), String(BigInt(last) + 1n)], suffix: '' };
}

function textOf({ numbers, suffix }: ComparatorVersion): string {
  return numbers.join('.') + suffix;
}

function plain(limit: Limit | null): KeyEdge | null {
  return limit && { key: limit.key, inclusive: limit.inclusive };
}

function plainBoth({ from, to }: { from: Limit; to: Limit }): { from: KeyEdge; to: KeyEdge } {
  return { from: plain(from) as KeyEdge, to: plain(to) as KeyEdge };
}
