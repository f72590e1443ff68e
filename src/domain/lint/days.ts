// Days in headings that no calendar has, that are still to come, or that contradict the order of versions of one line.
import { compareVersionKeys, flagsPrerelease } from '../versions/index.ts';
import { type LintFinding, lintFinding } from './finding.ts';
import { dayOf, isComparable } from './order.ts';
import type { LintedFile, LintSection } from './sections.ts';

const DAY_MS = 86_400_000;
const WRITTEN = /(?<![\w./-])(\d{1,6})([-/.])(\d{1,3})\2(\d{1,6})(?![\w/-]|\.\d)/g;

export function dayFaults({ sections, lines }: LintedFile, now: Date): LintFinding[] {
  return sections.flatMap((section) => {
    const written = writtenDays(section, lines[section.line - 1] ?? '');
    const invalid = written.find(({ at }) => at === null);
    if (invalid && section.date === null) return [invalidDay(section, invalid.text)];
    const later = written.find(({ at }) => at !== null && at > now.getTime() + DAY_MS);
    const read = section.date && Date.parse(section.date.at) > now.getTime() + DAY_MS ? dayOf(section.date.at) : null;
    const future = later?.text ?? read;
    return future === null ? [] : [futureDay(section, future)];
  });
}

// What is written as year, month and day; null for a day that no calendar has. Other orders are read by the reader of headings.
function writtenDays({ version }: LintSection, line: string): { text: string; at: number | null }[] {
  const rest = line
    .slice(0, 400)
    .replaceAll(version, ' ')
    .replace(/\]\([^()\s]*\)|https?:\/\/\S+/g, ' ');
  return [...rest.matchAll(WRITTEN)].flatMap(([text, first = '', sign, month = '', day = '']) => {
    const isYearFirst = first.length >= 4;
    // Short numbers are days in an order of their own, and dots are versions as well.
    if (!isYearFirst || (sign === '.' && first.length > 4)) return [];
    return [{ text, at: first.length === 4 ? dayAt(Number(first), Number(month), day) : null }];
  });
}

function dayAt(year: number, month: number, day: string): number | null {
  if (year < 1990 || year > 2200 || day.length > 2) return null;
  const at = new Date(Date.UTC(year, month - 1, Number(day)));
  return at.getUTCMonth() === month - 1 && at.getUTCDate() === Number(day) ? at.getTime() : null;
}

function invalidDay({ line, version, heading }: LintSection, text: string): LintFinding {
  return lintFinding(
    'date-invalid',
    { line, version },
    {
      sentence: `${text.slice(0, 30)} is no day.`,
      evidence: [`heading: ${heading.slice(0, 120)}`],
      advice: `Write the day on which ${version} was published, such as 2026-01-31.`,
    },
  );
}

function futureDay({ line, version }: LintSection, text: string): LintFinding {
  return lintFinding(
    'date-future',
    { line, version },
    {
      sentence: `${version} is dated ${text}, which is still to come.`,
      advice: 'Write the day on which it is published, or leave it out until then.',
    },
  );
}

// A higher version of a line with an earlier day than a lower one. Patches of older lines may follow later.
export function dayOrderFaults({ sections }: LintedFile): LintFinding[] {
  const dated = sections
    .filter(({ date }) => date !== null && date.precision !== 'month')
    .sort((one, other) => compareVersionKeys(one.key, other.key));
  const lines = Map.groupBy(dated, ({ parsed }) => parsed.numbers.slice(0, 2).join('.'));
  const heads = dated.filter(({ parsed }) => (parsed.numbers[2] ?? '0') === '0' && !flagsPrerelease(parsed));
  const majors = Map.groupBy(heads, ({ parsed }) => parsed.numbers[0] ?? '');
  const found = [...lines.values(), ...majors.values()].flatMap(contradictions);
  const told = new Set<LintSection>();
  return found.flatMap(([section, other]) => {
    if (told.has(section) || told.has(other)) return [];
    told.add(section);
    return [
      lintFinding(
        'date-order',
        { line: section.line, version: section.version },
        {
          sentence: `${section.version} is dated ${dayOf(section.date?.at ?? '')}, ${other.version} ${dayOf(other.date?.at ?? '')}: one of the days is wrong.`,
          evidence: [section, other].map(({ line, heading }) => `line ${line}: ${heading.slice(0, 120)}`),
          advice: 'Look up when each was published, and write that day.',
        },
      ),
    ];
  });
}

// Pairs of neighbours of which the higher version has the earlier day, the one that fits nowhere first.
function contradictions(line: readonly LintSection[]): [LintSection, LintSection][] {
  return line.flatMap((higher, at): [LintSection, LintSection][] => {
    const lower = line[at - 1];
    if (!lower || higher.key === lower.key || !isEarlier(higher, lower) || !isComparable(higher, lower)) return [];
    const above = line[at + 1];
    const isLowerWrong = above !== undefined && isEarlier(above, lower) && !isEarlier(above, higher);
    return [isLowerWrong ? [lower, higher] : [higher, lower]];
  });
}

// By more than a day, which time zones can make.
function isEarlier(one: LintSection, other: LintSection): boolean {
  return Date.parse(one.date?.at ?? '') + DAY_MS < Date.parse(other.date?.at ?? '');
}
