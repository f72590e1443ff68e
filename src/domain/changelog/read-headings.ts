import { type DateReading, documentDayFirst } from '../dates/index.ts';
import { type DocumentLines, HIDDEN } from './document-lines.ts';
import { anchorNamer } from './heading-anchor.ts';
import type { HeadingLine } from './heading-lines.ts';
import { headingText, renderInline } from './heading-text.ts';
import { type HeadingContext, type HeadingReading, readHeading } from './heading-version.ts';
import { statedDate } from './stated-date.ts';
import { isUnreleased } from './unreleased.ts';

/**
 * `section` divides the text without being an entry, `caption` is a bold line that only names what follows, and `none`
 * is ordinary text.
 */
export type HeadingRole = 'entry' | 'unreleased' | 'section' | 'caption' | 'none';

export interface Heading extends HeadingLine {
  text: string;
  yanked: boolean;
  anchor: string | null;
  reading: HeadingReading;
  /** The first line below that is not blank, and the date it states. */
  below: { line: number; date: DateReading | null };
  role: HeadingRole;
}

const DEEPEST_ENTRY = 4;
const WORDS_IN_PLAIN_LINE = 6;

/** Reduces and reads every heading line, and says what each is on its own account. */
export function readHeadings(
  document: DocumentLines,
  lines: readonly HeadingLine[],
  { names, now }: { names: readonly string[]; now: Date },
): Heading[] {
  const anchorOf = anchorNamer();
  const reduced = lines.map((line) => {
    const rendered = renderInline(line.source);
    const anchor = line.kind === 'heading' ? anchorOf(rendered) : null;
    return { ...line, ...headingText(rendered), anchor, below: firstTextLine(document, line.next) };
  });
  const textBelow = (line: number) => (document.states[line] === HIDDEN ? '' : (document.lines[line] ?? ''));
  const dates = reduced.flatMap(({ text, below }) => [text, textBelow(below).slice(0, 200)]);
  const context = { names, now, dayFirst: documentDayFirst(dates) };
  return reduced.map((line) => {
    const reading = readHeading(line.text, context);
    const date = reading.version === null ? null : statedDate(textBelow(line.below), context);
    return { ...line, reading, below: { line: line.below, date }, role: roleOf(line, reading, context) };
  });
}

export function firstTextLine({ lines }: DocumentLines, from: number): number {
  let at = from;
  while (at < lines.length && (lines[at] ?? '').trim() === '') at++;
  return at;
}

function roleOf(line: HeadingLine, reading: HeadingReading, context: HeadingContext): HeadingRole {
  const { version, date, words } = reading;
  if (line.nested) return 'none';
  if (line.kind === 'heading' && line.level > DEEPEST_ENTRY) return 'section';
  if (line.kind === 'bold' && !isBoldThroughout(line.tail, context)) return 'none';
  if (line.kind === 'line' && (version === null || words.split(' ').length > WORDS_IN_PLAIN_LINE)) return 'none';
  if (isUnreleased(words, version)) return 'unreleased';
  if (version !== null || date !== null) return 'entry';
  return line.kind === 'bold' ? 'caption' : 'section';
}

/** Bold from end to end, its date aside. */
function isBoldThroughout(tail: string, context: HeadingContext): boolean {
  if (tail === '') return true;
  return readHeading(headingText(renderInline(tail)).text, context).words === '';
}
