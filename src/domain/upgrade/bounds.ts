// The ends of an upgrade, and what lies between them in the order of versions.
import {
  compareVersionKeys,
  MAX_VERSION_LENGTH,
  parseVersion,
  type SchemeSetting,
  schemeOfKey,
} from '../versions/index.ts';
import { splitPackage, withoutTagRef } from '../versions/parse.ts';

export interface Bound {
  // The version without tag path, package and `v`.
  version: string;
  // The sort key; null when the text cannot be put in order.
  key: string | null;
  packagePart: string | null;
  epoch: number;
}

export function readBound(text: string): Bound {
  const parsed = parseVersion(text);
  return {
    version: bareVersion(text),
    key: parsed?.sortKey ?? null,
    packagePart: parsed?.packagePart ?? null,
    epoch: parsed?.epoch ?? 0,
  };
}

// A version text without tag path, package and `v`.
function bareVersion(text: string): string {
  // No version is that long, and splitting such a text would cost more than linear time.
  if (text.length > MAX_VERSION_LENGTH) return text.trim();
  const { preWord, version } = splitPackage(withoutTagRef(text));
  const bare = version.trim().replace(/^v\.?(?=\d)/i, '');
  return preWord === null ? bare : `${preWord}-${bare}`;
}

// Keys above `after` up to and including `upTo`, without those between the two keys of each gap.
export interface VersionKeyRange {
  after: string;
  upTo: string;
  gaps: readonly (readonly [string, string])[];
}

type Keyed = Bound & { key: string };

// Bounds of one scheme enclose versions of that scheme alone; bounds of two schemes enclose what lies between.
export function keyRange(from: Keyed, to: Keyed, setting: SchemeSetting = 'auto'): VersionKeyRange {
  const [after, upTo] = [from.key, to.key];
  const scheme = schemeOfKey(after, setting);
  const isMixed = setting !== 'auto' || scheme !== schemeOfKey(upTo, setting);
  const gaps = isMixed ? [] : scheme === 'numeric' ? calendarBlocks(from, to) : numericBlock(from, to);
  return { after, upTo, gaps: gaps.filter(([start, end]) => isBelow(after, end) && !isBelow(upTo, start)) };
}

const MAX_EPOCHS = 10;

function calendarBlocks(from: Keyed, to: Keyed): [string, string][] {
  const last = Math.min(to.epoch, from.epoch + MAX_EPOCHS);
  const epochs = Array.from({ length: Math.max(0, last - from.epoch + 1) }, (_, index) => from.epoch + index);
  return epochs.map((epoch) => blockAfter(`${String.fromCharCode(64 + String(epoch).length)}${epoch}`));
}

function numericBlock({ key: from }: Keyed, { key: to }: Keyed): [string, string][] {
  return epochOf(from) === epochOf(to) ? [] : [[calendarBlock(from)[1], calendarBlock(to)[0]]];
}

// The range of keys of calendar versions. Those of the years 1990 to 2100 are contiguous, because the key of a number
// begins with the count of its digits.
export function calendarBlock(key: string): [string, string] {
  return blockAfter(epochOf(key));
}

function blockAfter(epoch: string): [string, string] {
  return [`${epoch}D1990`, `${epoch}D2101`];
}

function epochOf(key: string): string {
  return key.slice(0, 1 + key.charCodeAt(0) - 64);
}

export function isBelow(a: string, b: string): boolean {
  return compareVersionKeys(a, b) < 0;
}
