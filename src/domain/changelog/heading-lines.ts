// Finds all lines of a changelog that are or may be headings, in the syntax of markdown, reStructuredText or plain text.
import {
  atxHeading,
  indentOf,
  isThematicBreak,
  listMarkerEnd,
  readIndent,
  underlineLevel,
} from '../markdown/line-syntax.ts';
import { type ChangelogFormat, type DocumentLines, IN_LIST, isHidden, OPEN } from './document-lines.ts';

// `heading` is a heading in the syntax of the document; a `bold` line and a bare `line` may be headings by their words.
type HeadingKind = 'heading' | 'bold' | 'line';

export interface HeadingLine {
  kind: HeadingKind;
  // The inline source, without the syntax of the heading itself.
  source: string;
  // The text behind the bold part of a `bold` line.
  tail: string;
  // 1 to 6; 0 for kinds without a level.
  level: number;
  // The first line, and the line behind the last.
  first: number;
  next: number;
  // A heading inside a list item has an anchor but does not divide the document.
  nested: boolean;
}

const MAX_HEADING_LENGTH = 1000;
const MAX_LINE_LENGTH = 120;
// The text behind a bold version may contain links.
const MAX_TAIL_LENGTH = 600;
const HTML_HEADING = /^ {0,3}<h([1-6])(?:\s[^>]*)?>/i;
const HTML_HEADING_LINES = 5;
const LIST_OR_INDENT = /^(?:\s+\S|[-*+\u2022]\s)/;
const RST_ADORNMENT = /^([!-/:-@[-`{-~])\1+$/;
// Only characters that markdown does not use for setext headings.
const TEXT_ADORNMENT = /^([*^"+])\1+$/;

export function headingLines(document: DocumentLines, format: ChangelogFormat): HeadingLine[] {
  const { lines, states } = document;
  const found: HeadingLine[] = [];
  const adornedLevels = new Map<string, number>();
  for (let at = 0; at < lines.length; ) {
    const heading = isHidden(states, at) ? null : headingAt(document, at, { format, adornedLevels });
    if (heading) found.push({ ...heading, source: heading.source.slice(0, MAX_HEADING_LENGTH) });
    at = heading?.next ?? at + 1;
  }
  return found;
}

function headingAt(
  document: DocumentLines,
  at: number,
  { format, adornedLevels }: { format: ChangelogFormat; adornedLevels: Map<string, number> },
): HeadingLine | null {
  const line = document.lines[at] ?? '';
  if (line.trim() === '') return null;
  if (format === 'rst') {
    return (
      adorned(document, at, { pattern: RST_ADORNMENT, levels: adornedLevels }) ??
      bold(line, at) ??
      plainLine(document, at)
    );
  }
  return (
    atx(document, at) ??
    html(document, at) ??
    setext(document, at) ??
    (format === 'text' ? adorned(document, at, { pattern: TEXT_ADORNMENT, levels: adornedLevels }) : null) ??
    bold(line, at) ??
    plainLine(document, at)
  );
}

function heading(fields: Pick<HeadingLine, 'level' | 'source' | 'first' | 'next' | 'nested'>): HeadingLine {
  return { ...fields, kind: 'heading', source: fields.source.trim(), tail: '' };
}

function atx({ lines, states }: DocumentLines, at: number): HeadingLine | null {
  const line = lines[at] ?? '';
  const indent = indentOf(line);
  const found = indent > 3 ? null : atxHeading(line, line.search(/\S/), line.length);
  if (!found) return null;
  const source = line.slice(found.start, found.end);
  return heading({ level: found.level, source, first: at, next: at + 1, nested: states[at] === IN_LIST });
}

function html({ lines, states }: DocumentLines, at: number): HeadingLine | null {
  const line = lines[at] ?? '';
  const match = HTML_HEADING.exec(line);
  if (!match) return null;
  const closing = `</h${match[1]}`;
  const window = [line.slice(match[0].length), ...lines.slice(at + 1, at + HTML_HEADING_LINES)];
  const last = window.findIndex((text) => text.toLowerCase().includes(closing));
  if (last < 0) return null;
  const source = window.slice(0, last + 1).join(' ');
  const end = source.toLowerCase().indexOf(closing);
  return heading({
    level: Number(match[1]),
    source: source.slice(0, end),
    first: at,
    next: at + last + 1,
    nested: states[at] === IN_LIST,
  });
}

function setext({ lines, states }: DocumentLines, at: number): HeadingLine | null {
  const line = lines[at] ?? '';
  const below = lines[at + 1] ?? '';
  const isDated = VERSION_LINE.test(line) && DATE_LINE.test(below);
  const rule = isDated ? at + 2 : at + 1;
  const level = states[at] === OPEN && states[rule] === OPEN ? underlineLevel(lines[rule] ?? '') : 0;
  if (level === 0 || !isParagraph(line)) return null;
  // Below a paragraph of several lines the dashes are a thematic break.
  if (at > 0 && states[at - 1] === OPEN && isParagraph(lines[at - 1] ?? '')) return null;
  return heading({ level, source: isDated ? `${line} ${below}` : line, first: at, next: rule + 1, nested: false });
}

function isParagraph(line: string): boolean {
  const { at, column } = readIndent(line, 0, line.length);
  if (at === line.length || column > 3 || '>|<#'.includes(line.charAt(at)) || listMarkerEnd(line, at) > at)
    return false;
  return !isThematicBreak(line, at, line.length) && underlineLevel(line) === 0;
}

// A title with an underline, or with an overline too, of one repeated character. As in reStructuredText, each new style is
// one level deeper.
function adorned(
  { lines }: DocumentLines,
  at: number,
  { pattern, levels }: { pattern: RegExp; levels: Map<string, number> },
): HeadingLine | null {
  const line = (lines[at] ?? '').trimEnd();
  const over = pattern.test(line) && pattern.test((lines[at + 2] ?? '').trimEnd()) ? 1 : 0;
  const title = (lines[at + over] ?? '').trimEnd();
  const underline = (lines[at + over + 1] ?? '').trimEnd();
  if (!pattern.test(underline) || title === '' || pattern.test(title)) return null;
  if (underline.length < title.trim().length || underline.length < 2) return null;
  if (over ? underline[0] !== line[0] : /^\s/.test(title) || (lines[at - 1] ?? '').trim() !== '') return null;
  const style = `${over}${underline[0]}`;
  const level = levels.get(style) ?? Math.min(levels.size + 1, 6);
  levels.set(style, level);
  return heading({ level, source: title, first: at, next: at + over + 2, nested: false });
}

function bold(line: string, at: number): HeadingLine | null {
  const text = line.trim();
  const delimiter = /^(?:\*{2,3}|_{2,3})(?=[^\s*_])/.exec(text)?.[0];
  if (delimiter === undefined || text.length > MAX_HEADING_LENGTH || indentOf(line) > 3) return null;
  const end = text.indexOf(delimiter, delimiter.length);
  // Unbalanced emphasis such as `**5.9.3 / 2026-06-19*` is accepted on a short line.
  if (end < 0 && text.length > MAX_LINE_LENGTH) return null;
  const tail = end < 0 ? '' : text.slice(end + delimiter.length);
  if (tail.length > MAX_TAIL_LENGTH) return null;
  return { kind: 'bold', source: text, tail, level: 0, first: at, next: at + 1, nested: false };
}

// A version and a date on two lines of one heading.
const VERSION_LINE =
  /^ {0,3}\[?(?:[A-Za-z][\w.-]{0,40} ){0,3}\[?v?\d{1,6}\.\d[\w.-]{0,40}\]?(?: [\w.]{1,20}){0,2}[ :]{0,3}$/;
const DATE_LINE =
  /^[\s(*_]{0,6}(?:released?:? (?:on )?)?(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}|(?:[a-z]{3,9}, )?(?:[a-z]{3,9}\.? \d{1,2}(?:st|nd|rd|th)?,? \d{4}|\d{1,2}(?:st|nd|rd|th)? [a-z]{3,9}\.?,? \d{4}))[\s.)*_]{0,6}$/i;

// A short line with a number, alone or above a list.
function plainLine({ lines }: DocumentLines, at: number): HeadingLine | null {
  const line = lines[at] ?? '';
  if (line.length > MAX_LINE_LENGTH || !/^[\p{L}\p{N}@[]/u.test(line) || !/\d/.test(line)) return null;
  const above = lines[at - 1] ?? '';
  const isDated = VERSION_LINE.test(line) && DATE_LINE.test(lines[at + 1] ?? '');
  const below = lines[isDated ? at + 2 : at + 1] ?? '';
  if (above.trim() !== '' && !LIST_OR_INDENT.test(above)) return null;
  if (below.trim() !== '' && !LIST_OR_INDENT.test(below)) return null;
  return { kind: 'line', source: line, tail: '', level: 0, first: at, next: at + 1, nested: false };
}
