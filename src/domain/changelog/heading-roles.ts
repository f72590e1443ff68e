// Decides by its neighbours which headings are entries, groups of entries or parts of one.
import type { DateReading } from '../dates/index.ts';
import type { DocumentLines } from './document-lines.ts';
import { firstTextLine } from './read-headings.ts';
import type { ClassifiedHeading, RankedHeading } from './types.ts';

const PLAIN_LEVEL = 2;
export const FILE_TITLE = /^(?!v?\d).*\bchange ?log\b/i;

// The headings with their final role, level and date.
export function rankHeadings(document: DocumentLines, all: readonly ClassifiedHeading[]): RankedHeading[] {
  const headings = withoutDateLines(withoutFileLists(document, withLevels(all)));
  const usual = usualLevel(headings);
  const next = nextEntries(headings);
  const local = levelsBetween(headings);
  const placed: RankedHeading[] = [];
  // The version whose section is being read, and the dated group around it.
  let enclosing: ClassifiedHeading | null = null;
  let over: { level: number; date: DateReading | null } = { level: 0, date: null };
  for (const [index, heading] of headings.entries()) {
    const divides = heading.role !== 'none' && heading.role !== 'caption';
    if (divides && enclosing && heading.level <= enclosing.level) enclosing = null;
    if (divides && heading.level <= over.level) over = { level: 0, date: null };

    const isEntry = heading.role === 'entry' && !isPartOf(heading, enclosing, [usual, local[index] ?? usual]);
    const isGroup = isEntry && isGroupHeading(document, { headings, next, index });
    const role = heading.role !== 'entry' || (isEntry && !isGroup) ? heading.role : isGroup ? 'group' : 'section';
    const date = heading.reading.date ?? dateBelow(heading, headings[index + 1]) ?? over.date;
    placed.push({ ...heading, role, date });

    if (isEntry && !isGroup && heading.reading.version !== null) enclosing = heading;
    if (isGroup && heading.reading.version === null) over = { level: heading.level, date };
  }
  return placed;
}

// The level of bold lines is one below that of the heading over the first entry among them, so that they may have sections
// of their own.
function withLevels(headings: readonly ClassifiedHeading[]): ClassifiedHeading[] {
  const first = headings.findIndex(({ kind, role }) => kind === 'bold' && (role === 'entry' || role === 'unreleased'));
  const over = headings.slice(0, Math.max(first, 0)).findLast(({ kind, nested }) => kind === 'heading' && !nested);
  const levels = { bold: Math.min((over?.level ?? 0) + 1, 6), line: PLAIN_LEVEL };
  return headings.map((heading) =>
    heading.kind === 'heading' ? heading : { ...heading, level: levels[heading.kind] },
  );
}

// A heading with nothing but links to other files is no entry.
function withoutFileLists(document: DocumentLines, headings: readonly ClassifiedHeading[]): ClassifiedHeading[] {
  let end = document.lines.length;
  const settled = headings.toReversed().map((heading) => {
    const isList = heading.role === 'entry' && isFileList(document, heading, end);
    // Lines without a role are text of the heading above them.
    if (heading.role !== 'none' && heading.role !== 'caption') end = heading.first;
    return isList ? { ...heading, role: 'section' as const } : heading;
  });
  return settled.reverse();
}

// In a file that writes its dates in headings of the level of its versions, a date directly below a version is that of the
// version, unless another date follows it.
function withoutDateLines(headings: readonly ClassifiedHeading[]): ClassifiedHeading[] {
  const isDateAlone = (one: ClassifiedHeading | undefined) => one?.role === 'entry' && one.reading.version === null;
  const dates = headings.filter((heading, index) => {
    const above = headings[index - 1];
    if (!isDateAlone(heading) || isDateAlone(headings[index + 1]) || heading.reading.words !== '') return false;
    if (above?.role !== 'entry' || above.reading.version === null || above.reading.date !== null) return false;
    return above.level === heading.level && above.below.line === heading.first;
  });
  if (dates.length < 2) return [...headings];
  const isDate = new Set(dates);
  return headings.map((heading) => (isDate.has(heading) ? { ...heading, role: 'section' } : heading));
}

// The level of most of the entries that have no words behind their version.
function usualLevel(headings: readonly ClassifiedHeading[]): number {
  const counts = new Map<number, number>();
  for (const { role, level, reading } of headings) {
    if (role === 'entry' && reading.after === '') counts.set(level, (counts.get(level) ?? 0) + 1);
  }
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0])[0];
}

// For each heading the level of the nearest bare versions above and below it, 0 where the two differ. Files change their
// levels over the years, so that one part of a file may have another usual level than the rest.
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

// Whether a heading is a part of the version around it: a date, a single number such as `v2 API`, or the version of another
// package. A heading with more words than its version is an entry only at a usual level.
function isPartOf(
  { reading, level }: ClassifiedHeading,
  enclosing: ClassifiedHeading | null,
  usual: readonly [file: number, here: number],
): boolean {
  const hasMoreWords = reading.version !== null && reading.after !== '' && reading.date === null;
  if (hasMoreWords && usual[0] > 0 && (!usual.includes(level) || enclosing !== null)) return true;
  if (!enclosing) return false;
  if (reading.version === null || reading.before !== '') return true;
  if (reading.packagePart !== null && reading.packagePart !== enclosing.reading.packagePart) return true;
  return numberCount(reading.version) < 2 && numberCount(enclosing.reading.version) >= 2;
}

// Whether a heading is a group: a deeper entry that is more specific follows it directly.
function isGroupHeading(
  document: DocumentLines,
  { headings, next, index }: { headings: readonly ClassifiedHeading[]; next: readonly number[]; index: number },
): boolean {
  const heading = headings[index];
  const childIndex = next[index] ?? headings.length;
  const child = headings[childIndex];
  if (!heading || !child || child.level <= heading.level) return false;
  const { version } = heading.reading;
  const hasMoreNumbers = numberCount(child.reading.version) > numberCount(version);
  // `Changelog of Acme 2.x` is the title of the file, even when text follows it.
  if (version !== null && hasMoreNumbers && FILE_TITLE.test(heading.text)) return true;
  if (firstTextLine(document, heading.next) !== child.first) return false;
  if (version === null) return child.reading.version !== null;
  if (child.reading.version !== null) return hasMoreNumbers;
  // A single date below a version belongs to the version; several dates are entries.
  const following = headings[next[childIndex] ?? headings.length];
  return following?.level === child.level && following.reading.version === null;
}

// For each heading the index of the next entry.
function nextEntries(headings: readonly ClassifiedHeading[]): number[] {
  const next = new Array<number>(headings.length);
  let found = headings.length;
  for (let at = headings.length - 1; at >= 0; at--) {
    next[at] = found;
    if (headings[at]?.role === 'entry') found = at;
  }
  return next;
}

// The date in the line below. If that line is a heading itself, it has to be a deeper one.
function dateBelow(heading: ClassifiedHeading, following: ClassifiedHeading | undefined): DateReading | null {
  const { line, date } = heading.below;
  if (date && following?.first === line && following.role === 'entry' && following.level <= heading.level) return null;
  return date;
}

function numberCount(version: string | null): number {
  return /^\d+(?:[._]\d+)*/.exec(version ?? '')?.[0].split(/[._]/).length ?? 0;
}

// Index pages: headings with nothing but links to the changelogs of single versions.

const FILE_LINK =
  /\]\((?:(?!\w+:|#|\/\/)|https?:\/\/[^()\s]*\/(?:blob|raw|tree)\/)[^()\s]*\.(?:md|markdown|mdx|txt|rst|html?)(?:#[^()\s]*)?\)/i;
const TABLE_FRAME = /^\s*(?:[|:\s-]+|[-*_\s]{3,})$/;
const INTRODUCTION_LINES = 3;
const LINES_READ = 2000;

// Whether a heading has nothing but links to other files below it. A version of three numbers, or one with a date, is a
// release all the same, whose notes are in another file.
function isFileList({ lines }: DocumentLines, { reading, next }: ClassifiedHeading, end: number): boolean {
  const { version, date } = reading;
  if (version === null || date !== null || version.split('.').length > 2) return false;
  let links = 0;
  let words = 0;
  for (let at = next; at < Math.min(end, next + LINES_READ); at++) {
    const line = (lines[at] ?? '').slice(0, 1000);
    if (line.trim() === '' || TABLE_FRAME.test(line)) continue;
    if (FILE_LINK.test(line)) links++;
    else if (/^\s*[-*+]\s/.test(line)) return false;
    else words++;
  }
  return links > 0 && words <= INTRODUCTION_LINES && (links > 1 || !version.includes('.'));
}
