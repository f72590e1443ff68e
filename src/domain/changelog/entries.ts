// Divides a changelog into entries. `heading-lines.ts` finds lines that may be headings, `read-headings.ts` reads them,
// `heading-roles.ts` decides which are entries, and this file gives each its title and body and makes one entry of each
// version.
import { parseVersion } from '../versions/index.ts';
import { type DocumentLines, documentLines, guessFormat } from './document-lines.ts';
import { headingLines } from './heading-lines.ts';
import { FILE_TITLE, rankHeadings } from './heading-roles.ts';
import { withShortRanges } from './heading-version.ts';
import { isChangeKind } from './heading-words.ts';
import { linkReferences } from './link-references.ts';
import { ANCHOR, outsideText } from './outside-text.ts';
import { readHeadings } from './read-headings.ts';
import { tableSections } from './table-sections.ts';
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
  // A file without entries in its own syntax is read as plain text, whatever its name is, unless its headings hold versions.
  const isPlainText = format === 'text' || !headings.some(holdsVersion);
  const plain = cutSections(
    document,
    isPlainText ? readHeadings(document, lines, { ...options, isPlainText }) : headings,
  );
  return plain.sections.length > 0 ? plain : (tableSections(document, options.now) ?? plain);
}

// Whether a heading below the title of the file names a version, even if it begins no entry.
function holdsVersion({ kind, nested, text, reading }: ClassifiedHeading): boolean {
  return kind === 'heading' && !nested && /\d\.\d/.test(reading.words) && !FILE_TITLE.test(text);
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

// Makes one entry of each version: sections of the same version are joined, and a section of several versions becomes
// several entries.

// The entries in the order of the file. No text is lost, because different bodies are joined.
function joinVersions(sections: readonly ChangelogSection[]): ChangelogEntry[] {
  const usual = usualLevel(sections);
  const groups = new Map<string, ChangelogSection[]>();
  const order: { key: string; version: string | null; section: ChangelogSection }[] = [];
  for (const section of sections) {
    for (const version of [section.version, ...section.more]) {
      const key = version === null ? `#${section.offset}` : keyOf(version);
      const group = groups.get(key);
      if (group) group.push({ ...section, version });
      else groups.set(key, [{ ...section, version }]);
      order.push({ key, version, section });
    }
  }
  const entries: ChangelogEntry[] = [];
  for (const { key } of order) {
    const group = groups.get(key);
    if (!group) continue;
    groups.delete(key);
    entries.push(...byPackage(group).map((same) => joined(same, usual)));
  }
  // A joined entry has the offset of the heading that its title is from, which may be a later one.
  return entries.sort((a, b) => a.offset - b.offset);
}

// The sort key with build and flavour, so that `4.0` and `4.0.0` are the same version and `4.0+a` is another.
function keyOf(version: string): string {
  const key = parseVersion(version)?.sortKey;
  if (!key) return `text ${version.toLowerCase()}`;
  const build = /\+.*$/.exec(version)?.[0] ?? '';
  const flavour = /^v?[\d._]+(?<flavour>.*?)(?:\+.*)?$/i.exec(version)?.groups?.flavour ?? '';
  return `${key} ${flavour.replace(/^[-._]/, '').toLowerCase()} ${build.toLowerCase()}`;
}

// Groups sections by package. Sections without a package belong to the only package there is, else to each other.
function byPackage(sections: readonly ChangelogSection[]): ChangelogSection[][] {
  const groups = Map.groupBy(sections, ({ packagePart }) => packagePart);
  const bare = groups.get(null);
  groups.delete(null);
  if (groups.size < 2) return [[...sections]];
  return bare ? [bare, ...groups.values()] : [...groups.values()];
}

function joined(sections: readonly ChangelogSection[], usual: number): ChangelogEntry {
  const [first] = sections as [ChangelogSection];
  if (sections.length === 1) return withoutMore(first);
  const atUsualLevel = sections.filter(({ level }) => level === usual);
  const main = atUsualLevel.find(({ date }) => date) ?? atUsualLevel[0] ?? sections.find(({ date }) => date) ?? first;
  const versions = sections.flatMap(({ version }) => version ?? []);
  return {
    ...withoutMore(main),
    version: versions.reduce((longest, version) => (version.length > longest.length ? version : longest), ''),
    packagePart: sections.find(({ packagePart }) => packagePart !== null)?.packagePart ?? null,
    date: main.date ?? sections.find(({ date }) => date)?.date ?? null,
    body: joinedBody(sections),
    yanked: sections.some(({ yanked }) => yanked),
    joined: sections.length,
  };
}

function joinedBody(sections: readonly ChangelogSection[]): string {
  const seen = new Set<string>();
  const bodies: string[] = [];
  for (const { body } of sections) {
    const text = body.replace(/\s+/g, ' ').trim();
    if (text === '' || seen.has(text)) continue;
    seen.add(text);
    bodies.push(body);
  }
  return bodies.join('\n\n');
}

function withoutMore({ more: _, ...entry }: ChangelogSection): ChangelogEntry {
  return entry;
}

function usualLevel(sections: readonly ChangelogSection[]): number {
  const counts = new Map<number, number>();
  for (const { level } of sections) counts.set(level, (counts.get(level) ?? 0) + 1);
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0])[0];
}
