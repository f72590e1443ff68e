// Whether a range of versions admits less than another one did.
import { type KeyInterval, readVersionRange, type VersionRange } from '../upgrade/version-range.ts';
import { compareVersionKeys, versionSort } from '../versions/index.ts';

const HIGHEST_MAJOR = 40;

// A version that the old range admits and the new one refuses; null when there is none, or when a range cannot be read.
// Versions around the numbers of both ranges are tried: a range changes its answer nowhere else.
export function refusedVersion(was: string, is: string): string | null {
  const [old, next] = [readVersionRange(was), readVersionRange(is)];
  if (old === null || next === null || next.isAny) return null;
  for (const version of candidates(`${was} ${is}`)) {
    const key = versionSort(version);
    if (key !== null && admits(old, key) && !admits(next, key)) return version;
  }
  return null;
}

export function admitsVersion(range: string, version: string): boolean {
  const [read, key] = [readVersionRange(range), versionSort(version)];
  return read !== null && key !== null && admits(read, key);
}

function candidates(ranges: string): string[] {
  const found = new Set<string>();
  for (const [, major = '', minor = '0', patch = '0'] of ranges.matchAll(
    /(?<![\d.-])(\d{1,6})(?:\.(\d{1,6}))?(?:\.(\d{1,6}))?/g,
  )) {
    const numbers = [Number(major), Number(minor), Number(patch)] as const;
    found.add(numbers.join('.'));
    found.add(`${numbers[0]}.${numbers[1]}.${numbers[2] + 1}`);
    found.add(`${numbers[0]}.${numbers[1] + 1}.0`);
    found.add(`${numbers[0] + 1}.0.0`);
    if (numbers[2] > 0) found.add(`${numbers[0]}.${numbers[1]}.${numbers[2] - 1}`);
    if (numbers[1] > 0) found.add(`${numbers[0]}.${numbers[1] - 1}.999`);
    if (numbers[0] > 0) found.add(`${numbers[0] - 1}.999.999`);
  }
  for (let major = 0; major <= HIGHEST_MAJOR; major += 1) found.add(`${major}.0.0`).add(`${major}.999.999`);
  return [...found];
}

function admits({ intervals }: VersionRange, key: string): boolean {
  return intervals.some((interval) => lies(interval, key));
}

function lies({ lower, upper, excluded }: KeyInterval, key: string): boolean {
  if (lower && !isAfter(key, lower.key, lower.inclusive)) return false;
  if (upper && !isAfter(upper.key, key, upper.inclusive)) return false;
  return !excluded.some(({ from, to }) => isAfter(key, from.key, from.inclusive) && isAfter(to.key, key, to.inclusive));
}

function isAfter(key: string, other: string, inclusive: boolean): boolean {
  const order = compareVersionKeys(key, other);
  return order > 0 || (order === 0 && inclusive);
}
