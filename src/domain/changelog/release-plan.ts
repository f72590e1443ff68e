// Changelogs of monorepos that are written by release tools: the heading has a date, and the list below it has the packages
// that were released.
import type { DocumentLines } from './document-lines.ts';
import type { HeadingReading } from './types.ts';

const MOST_PACKAGES = 60;
const RELEASE_WORDS = /^(?:release[sd]?|new releases?)?$/i;
const PACKAGE =
  /^\s*(?:[-*+]\s+)?[`*_[]{0,4}(?<name>@?[a-z\d][\w.-]*(?:\/[\w.-]+)?)[`*_\]]{0,4}(?:@|\s+|:\s*)[`*_[]{0,4}v?(?<version>\d+(?:\.\d+)+[\w.+-]*)[`*_\]]{0,4}\s*(?:\([^()]*\))?\s*$/i;

interface PlannedHeading {
  reading: HeadingReading;
  // The first line below the heading that is not blank.
  below: number;
  names: readonly string[];
}

// Completes a heading without version by the version that the list below it has for this package.
export function withPlannedVersion(
  { lines, states }: DocumentLines,
  { reading, below, names }: PlannedHeading,
): HeadingReading {
  if (reading.version !== null || reading.date === null || !RELEASE_WORDS.test(reading.words)) return reading;
  const own = names.map((name) => name.toLowerCase());
  for (let at = below; at < Math.min(lines.length, below + MOST_PACKAGES); at++) {
    const line = lines[at] ?? '';
    if (line.trim() === '' && at > below) continue;
    const named = (states[at] ?? 0) > 1 ? null : PACKAGE.exec(line.slice(0, 300))?.groups;
    if (!named) return reading;
    const { name = '', version = '' } = named;
    if (own.includes(name.toLowerCase())) return { ...reading, version, words: version };
  }
  return reading;
}
