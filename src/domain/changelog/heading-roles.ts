import type { DateReading } from '../dates/index.ts';
import type { DocumentLines } from './document-lines.ts';
import { isFileList } from './file-list.ts';
import { firstTextLine } from './read-headings.ts';
import type { ClassifiedHeading, RankedHeading } from './types.ts';

const PLAIN_LEVEL = 2;
const FILE_TITLE = /^(?!v?\d).*\bchange ?log\b/i;

// Decides with the help of the neighbours which headings are entries, and gives each its level and date.
export function rankHeadings(document: DocumentLines, all: readonly ClassifiedHeading[]): RankedHeading[] {
  const headings = withoutFileLists(document, withLevels(all));
  const usual = usualLevel(headings);
  const next = nextEntries(headings);
  const local = levelsBetween(headings);
  const placed: RankedHeading[] = [];
  // The version, and the date above versions, whose section is being read.
  let enclosing: ClassifiedHeading | null = null;
  let over: { level: number; date: DateReading | null } = { level: 0, date: null };
  for (const [index, heading] of headings.entries()) {
    const divides = heading.role !== 'none' && heading.role !== 'caption';
    if (divides && enclosing && heading.level <= enclosing.level) enclosing = null;
    if (divides && heading.level <= over.level) over = { level: 0, date: null };

    const isEntry = heading.role === 'entry' && !isPartOf(heading, enclosing, [usual, local[index] ?? usual]);
    const isGroup = isEntry && standsOverEntries(document, headings, next, index);
    const role = heading.role !== 'entry' || (isEntry && !isGroup) ? heading.role : isGroup ? 'group' : 'section';
    const date = heading.reading.date ?? dateBelow(heading, headings[index + 1]) ?? over.date;
    placed.push({ ...heading, role, date });

    if (isEntry && !isGroup && heading.reading.version !== null) enclosing = heading;
    if (isGroup && heading.reading.version === null) over = { level: heading.level, date };
  }
  return placed;
}

// Bold lines rank below the heading over the first entry among them, so that they may hold sections themselves.
function withLevels(headings: readonly ClassifiedHeading[]): ClassifiedHeading[] {
  const first = headings.findIndex(({ kind, role }) => kind === 'bold' && (role === 'entry' || role === 'unreleased'));
  const over = headings.slice(0, Math.max(first, 0)).findLast(({ kind, nested }) => kind === 'heading' && !nested);
  const levels = { bold: Math.min((over?.level ?? 0) + 1, 6), line: PLAIN_LEVEL };
  return headings.map((heading) =>
    heading.kind === 'heading' ? heading : { ...heading, level: levels[heading.kind] },
  );
}

// A heading over nothing but links to other files is no entry.
function withoutFileLists(document: DocumentLines, headings: readonly ClassifiedHeading[]): ClassifiedHeading[] {
  let end = document.lines.length;
  const settled = headings.toReversed().map((heading) => {
    const isList = heading.role === 'entry' && isFileList(document, heading, end);
    // Possible headings without a role are text of the heading above.
    if (heading.role !== 'none' && heading.role !== 'caption') end = heading.first;
    return isList ? { ...heading, role: 'section' as const } : heading;
  });
  return settled.reverse();
}

// The level at which most entries stand that say nothing but their version.
function usualLevel(headings: readonly ClassifiedHeading[]): number {
  const counts = new Map<number, number>();
  for (const { role, level, reading } of headings) {
    if (role === 'entry' && reading.after === '') counts.set(level, (counts.get(level) ?? 0) + 1);
  }
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0])[0];
}

// For each heading the level at which both its neighbours stand that are nothing but versions, 0 where they differ: files
// change their levels with the years, so one part of a file may have another usual level than the rest.
function levelsBetween(headings: readonly ClassifiedHeading[]): number[] {
  const isPlain = ({ role, reading }: ClassifiedHeading) =>
    role === 'entry' && reading.version !== null && reading.before === '' && reading.after === '';
  const above = new Array<number>(headings.length);
  for (let at = 0, level = 0; at < headings.length; at++) {
    above[at] = level;
    const heading = headings[at] as ClassifiedHeading;
    if (isPlain(heading)) level = heading.level;
  }
  const levels = new Array<number>(headings.length);
  for (let at = headings.length - 1, level = 0; at >= 0; at--) {
    levels[at] = above[at] === level ? level : 0;
    const heading = headings[at] as ClassifiedHeading;
    if (isPlain(heading)) level = heading.level;
  }
  return levels;
}

// Inside the section of a version a date, a lone number such as `v2 API` and the version of another package head a part
// of it. A heading that says more than its version is an entry only at a usual level.
function isPartOf(
  { reading, level }: ClassifiedHeading,
  enclosing: ClassifiedHeading | null,
  usual: readonly [file: number, here: number],
): boolean {
  const saysMore = reading.version !== null && reading.after !== '' && reading.date === null;
  if (saysMore && usual[0] > 0 && (!usual.includes(level) || enclosing !== null)) return true;
  if (!enclosing) return false;
  if (reading.version === null || reading.before !== '') return true;
  if (reading.packagePart !== null && reading.packagePart !== enclosing.reading.packagePart) return true;
  return numberCount(reading.version) < 2 && numberCount(enclosing.reading.version) >= 2;
}

// A group heading is followed, after blank lines only, by a deeper entry that says more than the heading itself.
function standsOverEntries(
  document: DocumentLines,
  headings: readonly ClassifiedHeading[],
  next: readonly number[],
  index: number,
): boolean {
  const heading = headings[index];
  const childIndex = next[index] ?? headings.length;
  const child = headings[childIndex];
  if (!heading || !child || child.level <= heading.level) return false;
  const { version } = heading.reading;
  const hasMoreNumbers = numberCount(child.reading.version) > numberCount(version);
  // `Changelog of Acme 2.x` is the title of the file, whatever text introduces it.
  if (version !== null && hasMoreNumbers && FILE_TITLE.test(heading.text)) return true;
  if (firstTextLine(document, heading.next) !== child.first) return false;
  if (version === null) return child.reading.version !== null;
  if (child.reading.version !== null) return hasMoreNumbers;
  // A single date below a version belongs to it; several dates are entries.
  const following = headings[next[childIndex] ?? headings.length];
  return following?.level === child.level && following.reading.version === null;
}

// For each heading the index of the next one that is an entry.
function nextEntries(headings: readonly ClassifiedHeading[]): number[] {
  const next = new Array<number>(headings.length);
  let found = headings.length;
  for (let at = headings.length - 1; at >= 0; at--) {
    next[at] = found;
    if (headings[at]?.role === 'entry') found = at;
  }
  return next;
}

// A heading that is the line below gives its date only when it is a deeper one.
function dateBelow(heading: ClassifiedHeading, following: ClassifiedHeading | undefined): DateReading | null {
  const { line, date } = heading.below;
  if (date && following?.first === line && following.role === 'entry' && following.level <= heading.level) return null;
  return date;
}

function numberCount(version: string | null): number {
  return /^\d+(?:[._]\d+)*/.exec(version ?? '')?.[0].split(/[._]/).length ?? 0;
}
