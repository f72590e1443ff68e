// The headings of a changelog, found without the code under test: lines that look like headings in any common style.

export interface WrittenHeading {
  line: number;
  level: number;
  // The text without markup, link targets and tags.
  text: string;
  dates: string[];
  // The line after the heading.
  next: number;
}

export interface WrittenFile {
  lines: string[];
  headings: WrittenHeading[];
  // Lines of fenced code.
  code: Set<number>;
}

const PLAIN = /^(?:[@\w/.-]+[@ ])?v?\d+\.\d+[\w.+-]*(?:\s*[/,&|]\s*v?\d+\.\d+[\w.+-]*)*$/i;
// A remark in bold behind a version.
const REMARK = /\s\*\*[^*]+\*\*\s*$/;
const YAML_KEY = /^["']?v?\d+(?:\.\d+)+[\w.+-]*["']?:\s*$/;

export function readFile(text: string): WrittenFile {
  const lines = text.split(/\r?\n/);
  const code = fencedLines(lines);
  const isYaml = lines.filter((line) => YAML_KEY.test(line)).length > 2 && !lines.some((line) => /^#{1,4} /.test(line));
  const headings: WrittenHeading[] = [];
  for (const [at, line] of lines.entries()) {
    if (code.has(at)) continue;
    const level = levelOf(lines, at, isYaml);
    if (level === 0) continue;
    const shown = shownText(line);
    const isUnderlined = level > 0 && /^(?:={3,}|-{3,}|~{3,})\s*$/.test(lines[at + 1] ?? '') && !/^#/.test(line);
    const next = at + (isUnderlined ? 2 : 1);
    const below = lines.slice(next, next + 6).find((one) => one.trim() !== '' && !/^\s*<!--.*-->\s*$/.test(one)) ?? '';
    const own = datesIn(shown);
    headings.push({ line: at, level, text: shown, dates: own.length > 0 ? own : statedBelow(below), next });
  }
  return { lines, headings, code };
}

function fencedLines(lines: readonly string[]): Set<number> {
  const code = new Set<number>();
  for (let at = 0; at < lines.length; at++) {
    const mark = /^\s{0,3}(`{3,}|~{3,})[^`]*$/.exec(lines[at] ?? '')?.[1];
    if (mark === undefined) continue;
    const end = lines.findIndex(
      (line, index) => index > at && line.trim().startsWith(mark) && /^[`~]+$/.test(line.trim()),
    );
    if (end < 0) continue;
    for (let inside = at; inside <= end; inside++) code.add(inside);
    at = end;
  }
  return code;
}

// 0 for a line that is not a heading.
function levelOf(lines: readonly string[], at: number, isYaml: boolean): number {
  const line = lines[at] ?? '';
  const marks = /^ {0,3}(#{1,4})(?:[\s\u00a0]|$)/.exec(line)?.[1];
  if (marks !== undefined) return marks.length;
  // Deeper headings are entries where they are nothing but a version.
  const deep = /^ {0,3}#{5,6}\s+(?<text>.*)$/.exec(line)?.groups?.text;
  if (deep !== undefined && PLAIN.test(withoutDates(deep).replace(/[[\]()\s/,-]+$|^\[/g, ''))) return 5;
  const tag = /^ {0,3}<h([1-4])[\s>]/i.exec(line)?.[1];
  if (tag !== undefined) return Number(tag);
  if (/^\S/.test(line) && !/^[-*+>|]\s/.test(line) && /^(?:={3,}|-{3,}|~{3,})\s*$/.test(lines[at + 1] ?? '')) {
    return (lines[at + 1] ?? '').startsWith('=') ? 1 : 2;
  }
  if (isYaml) return YAML_KEY.test(line) ? 2 : 0;
  const bold = /^(?:\*\*|__)(?!\s)([^*]+?)(?:\*\*|__|\*)(.*)$/.exec(line);
  if (
    bold &&
    bold[2] !== undefined &&
    !/\p{L}{3}/u.test(shownText(withoutDates(bold[2])).replace(/\b(?:diff|compare|changes)\b/gi, ''))
  )
    return 5;
  const isApart = (lines[at - 1] ?? '').trim() === '' && /^(?:\s*$|\s*[-*+]\s)/.test(lines[at + 1] ?? '');
  const bare = withoutDates(line.replace(REMARK, ' '))
    .replace(/\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|satur|sat|sun)(?:day)?\b,?|released/gi, ' ')
    .replace(/[()/,\s-]+$/, '');
  return isApart && PLAIN.test(bare.trim()) && /^\S/.test(line) ? 6 : 0;
}

function shownText(line: string): string {
  return line
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/\]\[[^\]]*\]/g, ']')
    .replace(/<[^>]*>/g, ' ')
    .replace(/^ {0,3}#{1,6}\s*/, '');
}

function statedBelow(line: string): string[] {
  const text = line.replace(/[*_>#]/g, '').trim();
  const isDate =
    text.length < 60 &&
    (/^(?:released?|release date|published|date)\b/i.test(text) || /^[\w., /():+-]{6,40}$/.test(text));
  const rest = withoutDates(text).replace(
    /released?|release date|published|date|on\b|gmt|utc|\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*|[\W\d_]/gi,
    '',
  );
  return isDate && rest.length < 10 ? datesIn(text) : [];
}

const FOREIGN = /(?:[<>=^~]\s*v?|\b(?:requires?|needs?|from|since|below|above|until|upgrad\w+|migrat\w+) (?:to )?v?)$/i;
const RANGE = /^\s*(?:and|or) (?:younger|older|newer|later|earlier|above|below|higher|lower)/i;

// Whether a heading announces a version.
export function announces(heading: string, version: string): boolean {
  const pattern = new RegExp(`(?<![\\w.-])v?${version.replace(/[.+]/g, '\\$&')}(?![\\w+-]|\\.\\w)`, 'gi');
  for (const match of heading.matchAll(pattern)) {
    const before = heading.slice(0, match.index);
    if (!FOREIGN.test(before) && !RANGE.test(heading.slice(match.index + match[0].length))) return true;
  }
  return false;
}

const USUAL =
  /^(?:v|ver|version|versions|release|releases|released|the|new|stable|beta|alpha|rc|patch|hotfix|tag|and|in)$/i;

// Versions at the start of a heading, after names and words like Version only.
export function headVersions(heading: string, names: readonly string[]): string[] {
  const undated = withoutDates(heading)
    .replace(/[[\]`*_()"']/g, ' ')
    .replace(/[^\p{L}\p{N}@/.+\s,&|:-]/gu, ' ');
  const own = new Set(names.flatMap((name) => name.toLowerCase().split(/[^a-z\d]+/)));
  const found: string[] = [];
  for (const word of undated.split(/[\s,&|]+|\/(?=v?\d)/).filter(Boolean)) {
    const version = /^(?:@?[\w./-]+@)?v?\.?(\d+(?:\.\d+)*(?:[-+._]?[A-Za-z\d]+)*)\.?$/i.exec(
      word.replace(/:$/, ''),
    )?.[1];
    const pieces = word.toLowerCase().split(/[^a-z\d]+/);
    if (version !== undefined) found.push(version, ...version.split('-'));
    else if (/^[-\u2013:/]+$/.test(word)) continue;
    else if (found.length > 0) break;
    else if (!USUAL.test(word) && !pieces.every((piece) => piece === '' || own.has(piece))) break;
  }
  return found;
}

// Dates as people write them beside a version, parsed without the code under test. A date that can be read in more than
// one order has several right answers, and a month alone matches any day of it.
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const MONTH = '(jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\\.?';

type Read = (...parts: string[]) => string[];

const FORMS: readonly [RegExp, Read][] = [
  [/(?<![\d.])(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?![\d.])/, (year, month, day) => [iso(year, month, day)]],
  [
    /(?<![\d.])(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?![\d.])/,
    (first, _, second, year) => [iso(year, first, second), iso(year, second, first)],
  ],
  [
    /(?<![\d.])(\d{1,2})\/(\d{1,2})\/(\d{2})(?![\d.])/,
    (first, second, year) => [iso(`20${year}`, first, second), iso(`20${year}`, second, first)],
  ],
  [
    new RegExp(`\\b${MONTH}[ -]+(\\d{1,2})(?:st|nd|rd|th)? *,? *(?:at )?(?:\\d+:\\d+\\S* *)?(\\d{4})\\b`, 'i'),
    (name, day, year) => [iso(year, monthOf(name), day)],
  ],
  [
    new RegExp(`\\b(\\d{1,2})(?:st|nd|rd|th)?(?: of)?[ -]+${MONTH},?[ -]+(\\d{4}|\\d{2}(?!\\d))`, 'i'),
    (day, name, year) => [iso(year?.length === 2 ? `20${year}` : year, monthOf(name), day)],
  ],
  [
    new RegExp(`(?<!\\d)(\\d{4})[ -]${MONTH}[ -](\\d{1,2})(?!\\d)`, 'i'),
    (year, name, day) => [iso(year, monthOf(name), day)],
  ],
  [/(?<![\d.])(20[0-3]\d)([01]\d)([0-3]\d)(?![\d.])/, (year, month, day) => [iso(year, month, day)]],
  [new RegExp(`\\b${MONTH},?[ -](\\d{4})\\b`, 'i'), (name, year) => [`${year}-${monthOf(name)}`]],
  [/(?<![\d.-])(20[0-3]\d)-([01]\d)(?![\d.-])/, (year, month) => [`${year}-${month}`]],
];

// The dates that a text may state, as prefixes of ISO dates; empty when it states none.
function datesIn(text: string): string[] {
  const plain = text.replace(/[*_]/g, ' ');
  for (const [pattern, read] of FORMS) {
    const match = pattern.exec(plain);
    const found = match ? read(...match.slice(1)).filter(isDate) : [];
    if (found.length > 0) return found;
  }
  return [];
}

function withoutDates(text: string): string {
  return FORMS.reduce((rest, [pattern]) => rest.replace(pattern, ' '), text);
}

function isDate(text: string): boolean {
  const [, month = 0, day = 1] = text.split('-').map(Number);
  return month >= 1 && month <= 12 && day >= 1 && day <= 31;
}

function iso(year = '', month = '', day = ''): string {
  return `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
}

function monthOf(name = ''): string {
  return String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1).padStart(2, '0');
}
