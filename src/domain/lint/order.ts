// The order of sections, and versions that stand there twice. Backports may stand by time or by number.
import { compareVersionKeys, flagsPrerelease } from '../versions/index.ts';
import { type LintFinding, lintFinding } from './finding.ts';
import { type LintedFile, type LintSection, MANY_WORDS } from './sections.ts';

export function orderFaults(file: LintedFile): LintFinding[] {
  const sections = file.sections.filter(({ besides }) => besides < MANY_WORDS);
  const rises = sections.length > 1 && isRising(sections);
  const inOrder = rises ? [...sections].reverse() : sections;
  return inOrder.flatMap((lower, at) => {
    const upper = inOrder[at - 1];
    if (!upper || compareVersionKeys(upper.key, lower.key) >= 0 || !isOutOfOrder(upper, lower)) return [];
    return [
      lintFinding(
        'order',
        { line: lower.line, version: lower.version },
        {
          sentence: `${lower.version} stands ${rises ? 'above' : 'below'} ${upper.version}, which is older.`,
          evidence: [upper, lower].map(({ heading, line }) => `line ${line}: ${heading.slice(0, 120)}`),
          advice: `Move the section of ${lower.version} ${rises ? 'below' : 'above'} that of ${upper.version}.`,
        },
      ),
    ];
  });
}

// With days it is the time that counts; without, only versions of which none can be a backport of the other's line.
function isOutOfOrder(upper: LintSection, lower: LintSection): boolean {
  if (upper.date && lower.date) return dayOf(upper.date.at) < dayOf(lower.date.at);
  const [one, other] = [upper.parsed.numbers, lower.parsed.numbers];
  if ((one[0] ?? '') !== (other[0] ?? '') || !isComparable(upper, lower)) return false;
  return (one[1] ?? '0') === (other[1] ?? '0') || (one[2] ?? '0') === '0';
}

// Numbers tell the order of stable versions, and of the pre-releases of one word.
export function isComparable(
  { parsed: one, version }: LintSection,
  { parsed: other, version: second }: LintSection,
): boolean {
  if (isPadded(version) !== isPadded(second)) return false;
  if (!flagsPrerelease(one) && !flagsPrerelease(other)) return true;
  return flagsPrerelease(one) && flagsPrerelease(other) && one.rest[0] === other.rest[0];
}

// `3.01` is another version than `3.1`, and which of the two is higher nobody knows.
function isPadded(version: string): boolean {
  return /\.0\d/.test(version);
}

function isRising(sections: readonly LintSection[]): boolean {
  const steps = sections.slice(1).map((one, at) => compareVersionKeys(sections[at]?.key ?? '', one.key));
  return steps.filter((step) => step < 0).length > steps.filter((step) => step > 0).length;
}

export function dayOf(at: string): string {
  return at.slice(0, 10);
}

export function duplicateFaults({ sections }: LintedFile): LintFinding[] {
  const first = new Map<string, LintSection>();
  return sections.flatMap((section, at) => {
    const known = first.get(section.key);
    if (!known) {
      first.set(section.key, section);
      return [];
    }
    // A heading inside of the section that names its version once more, such as that of its guide.
    const isNext = sections[at - 1]?.key === section.key;
    const isAbout = section.besides >= 2 && section.besides > known.besides;
    const isShorter = section.parsed.numbers.length !== known.parsed.numbers.length;
    if ((isNext && (section.level > known.level || isAbout || isShorter)) || section.besides >= MANY_WORDS) return [];
    if (isPadded(section.version) !== isPadded(known.version)) return [];
    return [
      lintFinding(
        'duplicate-version',
        { line: section.line, version: section.version },
        {
          sentence: `${section.version} has a section already, in line ${known.line}.`,
          evidence: [known, section].map(({ heading, line }) => `line ${line}: ${heading.slice(0, 120)}`),
          advice: 'Join the two, or give this one the version that it belongs to.',
        },
      ),
    ];
  });
}
