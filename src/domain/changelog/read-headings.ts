// Reads every heading of a changelog: its version, its date, its anchor and the role that it has by itself.
import { type DateReading, dateContextOf, findDate } from '../dates/index.ts';
import { COMMENT, type DocumentLines, isHidden } from './document-lines.ts';
import type { HeadingLine } from './heading-lines.ts';
import { mentionsVersion } from './heading-sentences.ts';
import { headingText, renderInline, trimEdges } from './heading-text.ts';
import { readHeading } from './heading-version.ts';
import { isUnreleased } from './heading-words.ts';
import type { ClassifiedHeading, HeadingContext, HeadingReading, HeadingRole } from './types.ts';

const DEEPEST_ENTRY = 4;
const WORDS_IN_PLAIN_LINE = 6;
const WORDS_BESIDE_VERSION = 3;
const WORDS_WITH_REMARK = 6;

// Classifies every heading line by itself; `heading-roles.ts` then looks at its neighbours.
export function readHeadings(
  document: DocumentLines,
  lines: readonly HeadingLine[],
  { names, now, isPlainText }: { names: readonly string[]; now: Date; isPlainText: boolean },
): ClassifiedHeading[] {
  const anchorOf = anchorNamer();
  const reduced = lines.map((line) => {
    const rendered = renderInline(line.source);
    const anchor = line.kind === 'heading' ? anchorOf(rendered) : null;
    return { ...line, ...headingText(rendered), anchor, below: firstTextLine(document, line.next) };
  });
  const textBelow = (line: number) => (isHidden(document.states, line) ? '' : (document.lines[line] ?? ''));
  const dates = reduced.flatMap(({ text, below }) => [text, textBelow(below).slice(0, 200)]);
  const context = { names, ...dateContextOf(dates, now) };
  const read = reduced.map((line): ClassifiedHeading => {
    const own = readHeading(line.text, context);
    const reading =
      line.kind === 'heading' ? withPlannedVersion(document, { reading: own, below: line.below, names }) : own;
    const date = reading.version === null ? null : dateOfLine(textBelow(line.below), context);
    return {
      ...line,
      reading,
      below: { line: line.below, date },
      role: roleOf(line, reading, { context, isPlainText }),
    };
  });
  return withoutOtherProducts(withoutDeepEntries(read));
}

// Deep headings are entries only in a file that writes most of its versions so.
function withoutDeepEntries(headings: readonly ClassifiedHeading[]): ClassifiedHeading[] {
  const versions = headings.filter(({ role, reading }) => role === 'entry' && reading.version !== null);
  const isDeep = ({ kind, level }: ClassifiedHeading) => kind === 'heading' && level > DEEPEST_ENTRY;
  const deep = versions.filter(isDeep).length;
  if (deep === 0 || deep * 2 > versions.length) return [...headings];
  return headings.map((heading) => (isDeep(heading) ? { ...heading, role: 'section' } : heading));
}

// A heading about a product that the file is not known by is an entry where such headings are what the file consists of.
function withoutOtherProducts(headings: readonly ClassifiedHeading[]): ClassifiedHeading[] {
  const counts = new Map<string | null, number>();
  for (const { role, reading } of headings) {
    if (role === 'entry' && reading.version !== null)
      counts.set(reading.product, (counts.get(reading.product) ?? 0) + 1);
  }
  const [usual] = [...counts].reduce((most, one) => (one[1] > most[1] ? one : most), [null, counts.get(null) ?? 0]);
  return headings.map((heading) => {
    const { product } = heading.reading;
    return product === null || product === usual ? heading : { ...heading, role: 'section' };
  });
}

export function firstTextLine({ lines, states }: DocumentLines, from: number): number {
  let at = from;
  while (at < lines.length && ((lines[at] ?? '').trim() === '' || states[at] === COMMENT)) at++;
  return at;
}

function roleOf(
  line: HeadingLine & { text: string },
  reading: HeadingReading,
  { context, isPlainText }: { context: HeadingContext; isPlainText: boolean },
): HeadingRole {
  const { version, date, words } = reading;
  // An empty heading does not divide the text.
  if (line.nested || line.text === '') return 'none';
  if (line.kind === 'heading' && line.level > DEEPEST_ENTRY && !isBareVersion(reading)) return 'section';
  if (line.kind === 'bold' && !isBoldThroughout(line.tail, context, date !== null)) return 'none';
  if (line.kind === 'line' && !isVersionLine(reading, isPlainText)) return 'none';
  if (isUnreleased(words, version)) return 'unreleased';
  const isMention =
    version !== null && reading.more.length === 0 && mentionsVersion(words, version, line.kind === 'heading');
  if (isMention && line.kind === 'line') return 'none';
  if (!isMention && (version !== null || date !== null)) return 'entry';
  return line.kind === 'bold' ? 'caption' : 'section';
}

// Whether a heading is nothing but a version and perhaps its date.
function isBareVersion({ version, packagePart, date, words, before }: HeadingReading): boolean {
  if (version === null || packagePart !== null || before !== '' || !/\d[._]\d/.test(version)) return false;
  return date !== null || /^(?:version )?\S+$/i.test(words);
}

// Whether a bare line is a heading. In plain text it may have a few words beside version and date.
function isVersionLine({ version, more, date, words, before, after }: HeadingReading, isPlainText: boolean): boolean {
  if (version === null) return false;
  const count = words.split(' ').length;
  if (isPlainText) return count <= WORDS_IN_PLAIN_LINE + more.length;
  if (!/\d[._]\d/.test(version) || /:\s*v?\d/i.test(words) || before !== '') return false;
  if (after === '') return count <= WORDS_BESIDE_VERSION + more.length;
  // Behind version and date a remark may stand: `1.21.0 / 2015-10-26 contains security fix`.
  return date !== null && /^v?\d/i.test(words) && count <= WORDS_WITH_REMARK;
}

const SMALL_PRINT = /<small>.*?<\/small>/gi;
// A remark that is set off as a whole, behind a date.
const REMARK = /(?:^|\s)(?:\*\*[^*]{1,60}\*\*|\*[^*]{1,60}\*|\[[^\][]{1,60}\]|\([^()]{1,60}\))\s{0,3}$/;
const LINK = /\[[^\][]*\]\([^()\s]*\)/g;

// Whether the whole line is bold, except for its date, a remark behind it, small print and links.
function isBoldThroughout(tail: string, context: HeadingContext, isDated: boolean): boolean {
  if (tail === '') return true;
  const plain = tail.replace(SMALL_PRINT, ' ').replace(LINK, ' ');
  const rest = isDated ? plain.replace(REMARK, ' ') : plain;
  return readHeading(headingText(renderInline(rest)).text, context).words === '';
}

// Makes the anchors of headings as code hosts do. Repeated ones get `-1`, `-2`, …
function anchorNamer(): (rendered: string) => string {
  const taken = new Map<string, number>();
  return (rendered) => {
    const base = slug(rendered);
    let name = base;
    let repeats = taken.get(base) ?? 0;
    while (taken.has(name)) name = `${base}-${++repeats}`;
    taken.set(base, repeats);
    taken.set(name, taken.get(name) ?? 0);
    return name;
  };
}

// Combining characters stay, as on code hosts: the variation selector of an emoji is part of the anchor.
function slug(rendered: string): string {
  return rendered
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{Nd}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

const MAX_LINE_LENGTH = 200;
const LEAD = /^(?:released?(?: date| on)?|published|date)(?![\p{L}\p{N}])/iu;
const MAX_GAP_LENGTH = 20;

// The date in the line below a heading, if the line is only a date or begins with a word like Released.
function dateOfLine(line: string, context: HeadingContext): DateReading | null {
  if (line.length > MAX_LINE_LENGTH || !/\d\d/.test(line)) return null;
  const { text } = headingText(renderInline(line.replace(/^\s*(?:>\s*|[-*+]\s+)?#{0,6}\s*/, '')));
  const found = findDate(text, { ...context, slot: true });
  if (!found) return null;
  const date = { at: found.at, precision: found.precision };
  const rest = trimEdges(`${text.slice(0, found.start)} ${text.slice(found.end)}`);
  if (rest === '') return date;
  const lead = LEAD.exec(text);
  return lead && found.start - lead[0].length <= MAX_GAP_LENGTH ? date : null;
}

// Changelogs of monorepos that are written by release tools: the heading has a date, and the list below it has the packages
// that were released.

const MAX_PACKAGES = 60;
const RELEASE_WORDS = /^(?:release[sd]?|new releases?)?$/i;
const PACKAGE =
  /^\s*(?:[-*+]\s+)?[`*_[]{0,4}(?<name>@?[a-z\d][\w.-]*(?:\/[\w.-]+)?)[`*_\]]{0,4}(?:@|\s+|:\s*)[`*_[]{0,4}v?(?<version>\d+(?:\.\d+)+[\w.+-]*)[`*_\]]{0,4}\s*(?:\([^()]*\))?\s*$/i;

interface PlannedHeading {
  reading: HeadingReading;
  // The first line below the heading that is not blank.
  below: number;
  names: readonly string[];
}

// Completes a heading without version by the version that the list below it has for this package.
function withPlannedVersion(
  { lines, states }: DocumentLines,
  { reading, below, names }: PlannedHeading,
): HeadingReading {
  if (reading.version !== null || reading.date === null || !RELEASE_WORDS.test(reading.words)) return reading;
  const own = names.map((name) => name.toLowerCase());
  for (let at = below; at < Math.min(lines.length, below + MAX_PACKAGES); at++) {
    const line = lines[at] ?? '';
    if (line.trim() === '' && at > below) continue;
    const named = (states[at] ?? 0) > 1 ? null : PACKAGE.exec(line.slice(0, 300))?.groups;
    if (!named) return reading;
    const { name = '', version = '' } = named;
    if (own.includes(name.toLowerCase())) return { ...reading, version, words: version };
  }
  return reading;
}
