/**
 * The text of a changelog, cut into its entries. `heading-lines.ts` finds what may be a heading, `heading-version.ts`
 * reads it, `heading-roles.ts` decides which headings are entries; this file gives each entry its title and body.
 */
import type { DateReading } from '../dates/index.ts';
import { isChangeKind } from './change-kinds.ts';
import { type ChangelogFormat, type DocumentLines, documentLines } from './document-lines.ts';
import { guessFormat } from './guess-format.ts';
import { headingLines } from './heading-lines.ts';
import { type PlacedHeading, placeHeadings } from './heading-roles.ts';
import { linkReferences } from './link-references.ts';
import { type Heading, readHeadings } from './read-headings.ts';

export type { ChangelogFormat } from './document-lines.ts';

export interface ChangelogEntry {
  /** The heading reduced to text. */
  heading: string;
  /** The heading without its date; of an entry that has only a date, its first sub-heading or the date as written. */
  title: string;
  version: string | null;
  packagePart: string | null;
  date: DateReading | null;
  /** 1 to 6. */
  level: number;
  /** Where the heading begins in the text. */
  offset: number;
  body: string;
  yanked: boolean;
  /** The fragment under which a code host shows the heading; null for a line that it does not show as one. */
  anchor: string | null;
}

export interface ChangelogOptions {
  /** Words of org, product, source, package and repository. */
  names: readonly string[];
  now: Date;
  /** Guessed from the text when absent. */
  format?: ChangelogFormat;
}

/** The entries of a changelog in the order of the text. */
export function parseChangelog(text: string, options: ChangelogOptions): ChangelogEntry[] {
  const format = options.format ?? guessFormat(text);
  const document = documentLines(text, format);
  const lines = headingLines(document, format);
  const marked = lines.filter(({ kind }) => kind !== 'line');
  const headings = format === 'text' ? [] : readHeadings(document, marked, options);
  if (headings.some(({ role }) => role === 'entry')) return cutEntries(document, headings);
  // A file without any heading in its own syntax is plain text, whatever it is called.
  return lines.length === headings.length ? [] : cutEntries(document, readHeadings(document, lines, options));
}

function cutEntries(document: DocumentLines, all: readonly Heading[]): ChangelogEntry[] {
  const headings = placeHeadings(document, all);
  const references = linkReferences(document);
  const entries: ChangelogEntry[] = [];
  for (const [index, heading] of headings.entries()) {
    if (heading.role !== 'entry') continue;
    const end = sectionEnd(headings, index);
    const { text, level, yanked, anchor, date, reading } = heading;
    entries.push({
      heading: text,
      title: titleOf(heading, headings.slice(index + 1, end)),
      version: reading.version,
      packagePart: reading.packagePart,
      date,
      level,
      offset: document.offsets[heading.first] ?? 0,
      body: bodyText(references.resolve(heading.next, headings[end]?.first ?? document.lines.length)),
      yanked,
      anchor,
    });
  }
  return entries;
}

/** The heading that ends the entry: the next entry, or one of its own or a higher level. */
function sectionEnd(headings: readonly PlacedHeading[], index: number): number {
  const level = headings[index]?.level ?? 0;
  let at = index + 1;
  while (at < headings.length && !ends(headings[at], level)) at++;
  return at;
}

function ends(heading: PlacedHeading | undefined, level: number): boolean {
  if (heading?.role === 'entry' || heading?.role === 'unreleased') return true;
  // Release tools head the sections of a patch release on the level of the release itself, and people even above it.
  return heading?.role === 'section' && heading.level <= level && !isChangeKind(heading.text);
}

function titleOf({ reading, text, level }: PlacedHeading, below: readonly PlacedHeading[]): string {
  if (reading.version !== null) return reading.words;
  if (reading.words !== '') return text;
  const first = below.find(({ role, level: depth }) => role === 'caption' || (role === 'section' && depth > level));
  return first?.text || reading.dateText;
}

function bodyText(text: string): string {
  return text.trimEnd().replace(/^(?:[ \t]*\n)+/, '');
}
