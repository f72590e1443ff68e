// The notes of a release beside what its package shows: breaks that nobody names, a step that is too small, names that are not
// there. Breaks count when they are proven, never when they are likely.
import type { Finding } from '../evidence/finding.ts';
import { parseVersion } from '../versions/index.ts';
import type { ParsedVersion } from '../versions/parse.ts';
import { type LintFinding, lintFinding } from './finding.ts';
import { isNamed } from './named-breaks.ts';
import type { PackageNames } from './package-names.ts';
import { keyOfVersion } from './published-versions.ts';
import type { LintedFile, LintSection } from './sections.ts';
import { doubtfulClaims, unknownNames } from './told-names.ts';

export interface ComparedRelease {
  from: string;
  to: string;
  findings: readonly Finding[];
  old: PackageNames;
  next: PackageNames;
}

const MAX_LISTED = 10;

export function packageFaults(file: LintedFile, compared: ComparedRelease): LintFinding[] {
  const { from, to } = compared;
  const told = sectionsOfStep(file, from, to);
  const section = told.find(({ keys }) => keys.includes(keyOfVersion(to) ?? '')) ?? null;
  const proven = compared.findings.filter(({ certainty }) => certainty === 'proven');
  return [
    ...unnamedBreaks({ section, told, proven }, compared),
    ...smallBump({ section, proven }, compared),
    ...told.flatMap((one) => unknownNames(file, one, compared)),
    ...told.flatMap((one) => doubtfulClaims(file, one, compared)),
  ];
}

// Between two archives several versions may have been released.
function sectionsOfStep({ sections }: LintedFile, from: string, to: string): LintSection[] {
  const [low, high] = [keyOfVersion(from) ?? '', keyOfVersion(to) ?? ''];
  return sections.filter(({ keys }) => keys.some((key) => key > low && key <= high));
}

function unnamedBreaks(
  { section, told, proven }: { section: LintSection | null; told: readonly LintSection[]; proven: readonly Finding[] },
  { from, to }: ComparedRelease,
): LintFinding[] {
  const text = told.map(({ heading, body }) => `${heading}\n${body}`).join('\n');
  // A version without an entry is told so.
  if (told.length === 0) return [];
  const unnamed = proven.filter((finding) => !isNamed(finding, text));
  if (unnamed.length === 0) return [];
  const several = unnamed.length > 1;
  const names = unnamed.slice(0, 3).map(({ name }) => `\`${name}\``);
  const more = unnamed.length > 3 ? ` and ${unnamed.length - 3} more` : '';
  return [
    lintFinding(
      'break-unnamed',
      { line: section?.line ?? told[0]?.line ?? null, version: to },
      {
        sentence: `${to} takes away ${several ? 'what' : 'something that'} no entry names: ${names.join(', ')}${more}.`,
        evidence: unnamed.slice(0, MAX_LISTED).map(({ text }) => `${from} to ${to}: ${text}`),
        advice: `Add a line such as: - **Breaking:** ${unnamed[0]?.text ?? ''}; say what to do instead.`,
      },
    ),
  ];
}

function smallBump(
  { section, proven }: { section: LintSection | null; proven: readonly Finding[] },
  { from, to }: ComparedRelease,
): LintFinding[] {
  const [before, after] = [parseVersion(from), parseVersion(to)];
  if (proven.length === 0 || !before || !after || before.phase === 'pre' || isBreakingStep(before, after)) return [];
  return [
    lintFinding(
      'bump-too-small',
      { line: section?.line ?? null, version: to },
      {
        sentence: `${to} breaks ${proven.length === 1 ? 'something' : `${proven.length} things`} and needs ${neededVersion(before)}.`,
        evidence: proven.slice(0, MAX_LISTED).map(({ text }) => `${from} to ${to}: ${text}`),
        advice: `Release it as ${neededVersion(before)}, or keep what is taken away.`,
      },
    ),
  ];
}

// Below 1.0 the second number is the one that breaks; below 0.1 every number does.
function isBreakingStep(before: ParsedVersion, after: ParsedVersion): boolean {
  if (before.scheme === 'calendar' || after.scheme === 'calendar') return true;
  const [major = '0', minor = '0'] = before.numbers;
  const [nextMajor = '0', nextMinor = '0'] = after.numbers;
  if (major !== nextMajor) return true;
  return major === '0' && (minor === '0' || minor !== nextMinor);
}

function neededVersion({ numbers: [major = '0', minor = '0'] }: ParsedVersion): string {
  return major === '0' ? `0.${Number(minor) + 1}.0` : `${Number(major) + 1}.0.0`;
}
