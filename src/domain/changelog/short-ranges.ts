import { compareVersionKeys, versionSort } from '../versions/index.ts';
import type { RankedHeading } from './heading-roles.ts';
import { shortRange } from './several-versions.ts';

const NUMERIC_PRERELEASE = /^\d+(?:\.\d+)+-\d+$/;

// `3.2.6-8` stands for three versions where the file has no other numeric pre-release and its next newer entry is above
// 3.2.8; else it is a pre-release.
export function withShortRanges(headings: readonly RankedHeading[]): RankedHeading[] {
  const isEntry = ({ role, reading }: RankedHeading) => role === 'entry' && reading.version !== null;
  const numeric = headings.filter((one) => isEntry(one) && NUMERIC_PRERELEASE.test(one.reading.version ?? ''));
  const only = numeric.length === 1 ? numeric[0] : undefined;
  const range = only ? shortRange(only.reading.version ?? '') : null;
  if (!only || !range) return [...headings];
  const [first = '', ...more] = range;
  const lowest = versionSort(first) ?? '';
  const highest = versionSort(range.at(-1) ?? '') ?? '';
  const keys = headings.flatMap((one) =>
    isEntry(one) && one !== only ? (versionSort(one.reading.version ?? '') ?? []) : [],
  );
  const newer = keys.filter((key) => compareVersionKeys(key, lowest) >= 0);
  const isFree = newer.length > 0 && newer.every((key) => compareVersionKeys(key, highest) > 0);
  if (!isFree) return [...headings];
  return headings.map((one) => (one === only ? { ...one, reading: { ...one.reading, version: first, more } } : one));
}
