import type { ParsedVersion } from './parse.ts';
import type { SchemeSetting } from './sort-key.ts';

export type VersionStep = 'major' | 'minor' | 'patch';

// How far a version moved from the greatest lower stable one of its package and scheme. Null without order key and for
// calendar versions, whose numbers tell the date and not the size of a change.
export function versionStep(
  current: ParsedVersion,
  previousStable: ParsedVersion | null,
  setting: SchemeSetting = 'auto',
): VersionStep | null {
  const scheme = setting === 'auto' ? current.scheme : setting;
  if (current.sortKey === null || scheme === 'calendar') return null;
  if (previousStable === null) return firstStep(current.numbers);
  if (numberAt(current, 0) !== numberAt(previousStable, 0)) return 'major';
  return numberAt(current, 1) === numberAt(previousStable, 1) ? 'patch' : 'minor';
}

function firstStep([major = '0', minor = '0', ...lower]: readonly string[]): VersionStep {
  if (lower.some((number) => number !== '0')) return 'patch';
  return minor === '0' && Number(major) >= 2 ? 'major' : 'minor';
}

function numberAt(version: ParsedVersion, index: number): string {
  return version.numbers[index] ?? '0';
}
