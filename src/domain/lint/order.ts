// The order of sections, and versions that stand there twice. Backports may stand by time or by number.
import { compareVersionKeys } from '../versions/index.ts';
import { type LintFinding, lintFinding } from './finding.ts';
import type { LintedFile, LintSection } from './sections.ts';

export function orderFaults({ sections }: LintedFile): LintFinding[] {
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
  if ((one[0] ?? '') !== (other[0] ?? '')) return false;
  return (one[1] ?? '0') === (other[1] ?? '0') || (one[2] ?? '0') === '0';
}

export function isRising(sections: readonly LintSection[]): boolean {
  const rising = sections.filter((one, at) => at > 0 && compareVersionKeys(sections[at - 1]?.key ?? '', one.key) < 0);
  return rising.length * 2 > sections.length - 1;
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
    const isInside = section.level > known.level && sections.slice(0, at).at(-1)?.key === section.key;
    if (isInside) return [];
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
