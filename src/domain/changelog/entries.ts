// Divides a changelog into entries. `heading-lines.ts` finds lines that may be headings, `read-headings.ts` reads them,
// `heading-roles.ts` decides which are entries, this file gives each its title and body, and `join-versions.ts` makes one
// entry of each version.
import { type DocumentLines, documentLines, guessFormat } from './document-lines.ts';
import { headingLines } from './heading-lines.ts';
import { rankHeadings } from './heading-roles.ts';
import { isChangeKind } from './heading-words.ts';
import { joinVersions } from './join-versions.ts';
import { linkReferences } from './link-references.ts';
import { ANCHOR, outsideText } from './outside-text.ts';
import { readHeadings } from './read-headings.ts';
import { withShortRanges } from './several-versions.ts';
import type {
  ChangelogEntry,
  ChangelogOptions,
  ChangelogSection,
  ClassifiedHeading,
  CutChangelog,
  OutsideText,
  RankedHeading,
} from './types.ts';
import { yamlSections } from './yaml-sections.ts';

export type { ChangelogFormat } from './document-lines.ts';

const TITLE_REACH = 50;

export interface ParsedChangelog {
  // In the order of the text, one for each version.
  entries: ChangelogEntry[];
  // How much of the text is in no entry.
  outside: OutsideText;
}

// The entries of a changelog in the order of the text, one for each version.
export function parseChangelog(text: string, options: ChangelogOptions): ChangelogEntry[] {
  return readChangelogText(text, options).entries;
}

// The entries of a changelog, and how much of its text is in none of them.
export function readChangelogText(text: string, options: ChangelogOptions): ParsedChangelog {
  const { sections, outside } = cutChangelog(text, options);
  return { entries: joinVersions(sections), outside };
}

// The sections of a changelog before those of the same version are joined.
export function changelogSections(text: string, options: ChangelogOptions): ChangelogSection[] {
  return cutChangelog(text, options).sections;
}

function cutChangelog(text: string, options: ChangelogOptions): CutChangelog {
  const structured = yamlSections(text, options);
  if (structured) return structured;
  const format = options.format ?? guessFormat(text);
  const document = documentLines(text, format);
  const lines = headingLines(document, format);
  const headings = readHeadings(document, lines, { ...options, isPlainText: false });
  const isSyntacticEntry = ({ role, kind }: ClassifiedHeading) => role === 'entry' && kind !== 'line';
  if (format !== 'text' && headings.some(isSyntacticEntry)) return cutSections(document, headings);
  // A file without entries in its own syntax is read as plain text, whatever its name is.
  return cutSections(document, readHeadings(document, lines, { ...options, isPlainText: true }));
}

function cutSections(document: DocumentLines, all: readonly ClassifiedHeading[]): CutChangelog {
  const headings = withShortRanges(rankHeadings(document, all));
  const references = linkReferences(document);
  const ends = sectionEnds(headings);
  const sections: ChangelogSection[] = [];
  const lineEnds = new Map<number, number>();
  for (const [index, heading] of headings.entries()) {
    if (heading.role !== 'entry') continue;
    const end = ends[index] ?? headings.length;
    const until = end < headings.length ? aboveAnchors(document, headings[end]?.first ?? 0) : document.lines.length;
    const lineEnd = Math.max(heading.next, until);
    lineEnds.set(index, lineEnd);
    const { text, level, yanked, anchor, date, reading } = heading;
    sections.push({
      heading: text,
      title: titleOf(heading, headings.slice(index + 1, Math.min(end, index + 1 + TITLE_REACH))),
      version: reading.version,
      more: reading.more,
      packagePart: reading.packagePart,
      date,
      level,
      offset: document.offsets[heading.first] ?? 0,
      body: bodyText(references.resolve(heading.next, lineEnd)),
      yanked,
      anchor,
      joined: 1,
    });
  }
  const { definitions } = references;
  return { sections, outside: outsideText(document, { headings, ends: lineEnds, definitions }) };
}

// For each heading the index of the one that ends its text: the next entry, group or unreleased part. Sections of any level
// belong to the entry above them; only the last entry is ended by a section of the same or a higher level.
function sectionEnds(headings: readonly RankedHeading[]): number[] {
  const ends = new Array<number>(headings.length);
  let next = headings.length;
  for (let at = headings.length - 1; at >= 0; at--) {
    ends[at] = next;
    const { role } = headings[at] as RankedHeading;
    if (role === 'entry' || role === 'unreleased' || role === 'group') next = at;
  }
  const last = headings.findLastIndex(({ role }) => role === 'entry');
  if (last >= 0 && ends[last] === headings.length) ends[last] = closingHeading(headings, last);
  return ends;
}

function closingHeading(headings: readonly RankedHeading[], last: number): number {
  const level = headings[last]?.level ?? 0;
  const at = headings.findIndex(
    (heading, index) =>
      index > last && heading.role === 'section' && heading.level <= level && !isChangeKind(heading.text),
  );
  return at < 0 ? headings.length : at;
}

// Anchor lines directly above a heading belong to it.
function aboveAnchors({ lines }: DocumentLines, first: number): number {
  let end = first;
  for (let at = first - 1; at >= 0; at--) {
    const line = lines[at] ?? '';
    if (ANCHOR.test(line.slice(0, 300))) end = at;
    else if (line.trim() !== '') break;
  }
  return end;
}

function titleOf({ reading, text, level }: RankedHeading, below: readonly RankedHeading[]): string {
  if (reading.version !== null) return reading.words;
  if (reading.words !== '') return text;
  const first = below.find(({ role, level: depth }) => role === 'caption' || (role === 'section' && depth > level));
  return first?.text || reading.dateText;
}

function bodyText(text: string): string {
  return text.trimEnd().replace(/^(?:[ \t]*\n)+/, '');
}
