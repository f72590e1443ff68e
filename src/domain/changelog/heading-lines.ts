import { atxHeading, headingEnd } from '../markdown/headings.ts';
import { type ChangelogFormat, type DocumentLines, IN_LIST, indentOf, isHidden, OPEN } from './document-lines.ts';

// `heading` is one in the document's own syntax; `bold` a line that begins bold and may be one; `line` a bare line that
// may be one in plain text.
type HeadingKind = 'heading' | 'bold' | 'line';

export interface HeadingLine {
  kind: HeadingKind;
  // Inline source without the marks that make it a heading.
  source: string;
  // What follows the bold part of a `bold` line; it may be no more than a date.
  tail: string;
  // 1 to 6; 0 for kinds that have none of their own.
  level: number;
  // First line, and the line after the last.
  first: number;
  next: number;
  // Inside a list item: it has an anchor but divides nothing.
  nested: boolean;
}

const LONGEST_HEADING = 1000;
const LONGEST_LINE = 120;
// What follows a bold version may hold the addresses of links.
const LONGEST_TAIL = 600;
const HTML_HEADING = /^ {0,3}<h([1-6])(?:\s[^>]*)?>/i;
const HTML_HEADING_LINES = 5;
const SETEXT = /^ {0,3}(?:={2,}|-{2,})[ \t]*$/;
const NO_PARAGRAPH = /^\s*(?:[-*+]\s|\d{1,9}[.)]\s|[>|<#]|(?:[-*_]\s*){3,}$)/;
const LIST_OR_INDENT = /^(?:\s+\S|[-*+\u2022]\s)/;
const RST_ADORNMENT = /^([!-/:-@[-`{-~])\1+$/;
// In plain text the marks of markdown are left to its own rules.
const TEXT_ADORNMENT = /^([*^"+])\1+$/;

// All lines that are or may be headings, in order.
export function headingLines(document: DocumentLines, format: ChangelogFormat): HeadingLine[] {
  const { lines, states } = document;
  const found: HeadingLine[] = [];
  const adornedLevels = new Map<string, number>();
  for (let at = 0; at < lines.length; ) {
    const heading = isHidden(states, at) ? null : headingAt(document, at, format, adornedLevels);
    if (heading) found.push({ ...heading, source: heading.source.slice(0, LONGEST_HEADING) });
    at = heading?.next ?? at + 1;
  }
  return found;
}

function headingAt(
  document: DocumentLines,
  at: number,
  format: ChangelogFormat,
  adornedLevels: Map<string, number>,
): HeadingLine | null {
  const line = document.lines[at] ?? '';
  if (line.trim() === '') return null;
  if (format === 'rst') {
    return adorned(document, at, RST_ADORNMENT, adornedLevels) ?? bold(line, at) ?? plainLine(document, at);
  }
  return (
    atx(document, at) ??
    html(document, at) ??
    setext(document, at) ??
    (format === 'text' ? adorned(document, at, TEXT_ADORNMENT, adornedLevels) : null) ??
    bold(line, at) ??
    plainLine(document, at)
  );
}

function heading(level: number, source: string, first: number, next: number, nested = false): HeadingLine {
  return { kind: 'heading', source: source.trim(), tail: '', level, first, next, nested };
}

function atx({ lines, states }: DocumentLines, at: number): HeadingLine | null {
  const line = lines[at] ?? '';
  const indent = indentOf(line);
  const found = indent > 3 ? null : atxHeading(line, line.search(/\S/), line.length);
  if (!found) return null;
  const source = line.slice(found.start, headingEnd(line, found.start, line.trimEnd().length));
  return heading(found.level, source, at, at + 1, states[at] === IN_LIST);
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
  return heading(Number(match[1]), source.slice(0, end), at, at + last + 1, states[at] === IN_LIST);
}

function setext({ lines, states }: DocumentLines, at: number): HeadingLine | null {
  const line = lines[at] ?? '';
  const underline = lines[at + 1] ?? '';
  if (!SETEXT.test(underline) || states[at] !== OPEN || states[at + 1] !== OPEN) return null;
  if (indentOf(line) > 3 || NO_PARAGRAPH.test(line) || SETEXT.test(line)) return null;
  // Below a paragraph of several lines the dashes are a rule and no underline.
  if (at > 0 && states[at - 1] === OPEN && isParagraph(lines[at - 1] ?? '')) return null;
  return heading(underline.trim().startsWith('=') ? 1 : 2, line, at, at + 2);
}

function isParagraph(line: string): boolean {
  return line.trim() !== '' && !NO_PARAGRAPH.test(line) && !SETEXT.test(line) && indentOf(line) < 4;
}

// A title above, or between, lines of one repeated mark; each new style is one level deeper.
function adorned({ lines }: DocumentLines, at: number, mark: RegExp, levels: Map<string, number>): HeadingLine | null {
  const line = (lines[at] ?? '').trimEnd();
  const over = mark.test(line) && mark.test((lines[at + 2] ?? '').trimEnd()) ? 1 : 0;
  const title = (lines[at + over] ?? '').trimEnd();
  const underline = (lines[at + over + 1] ?? '').trimEnd();
  if (!mark.test(underline) || title === '' || mark.test(title)) return null;
  if (underline.length < title.trim().length || underline.length < 2) return null;
  if (over ? underline[0] !== line[0] : /^\s/.test(title) || (lines[at - 1] ?? '').trim() !== '') return null;
  const style = `${over}${underline[0]}`;
  const level = levels.get(style) ?? Math.min(levels.size + 1, 6);
  levels.set(style, level);
  return heading(level, title, at, at + over + 2);
}

function bold(line: string, at: number): HeadingLine | null {
  const text = line.trim();
  const mark = /^(?:\*{2,3}|_{2,3})(?=[^\s*_])/.exec(text)?.[0];
  if (mark === undefined || text.length > LONGEST_HEADING || indentOf(line) > 3) return null;
  const end = text.indexOf(mark, mark.length);
  // An unbalanced mark as in `**5.9.3 / 2026-06-19*` is accepted on a short line.
  if (end < 0 && text.length > LONGEST_LINE) return null;
  const tail = end < 0 ? '' : text.slice(end + mark.length);
  if (tail.length > LONGEST_TAIL) return null;
  return { kind: 'bold', source: text, tail, level: 0, first: at, next: at + 1, nested: false };
}

// A short line that holds a number and stands alone, or on top of a list.
function plainLine({ lines }: DocumentLines, at: number): HeadingLine | null {
  const line = lines[at] ?? '';
  if (line.length > LONGEST_LINE || !/^[\p{L}\p{N}@[]/u.test(line) || !/\d/.test(line)) return null;
  const above = lines[at - 1] ?? '';
  const below = lines[at + 1] ?? '';
  if (above.trim() !== '' && !LIST_OR_INDENT.test(above)) return null;
  if (below.trim() !== '' && !LIST_OR_INDENT.test(below)) return null;
  return { kind: 'line', source: line, tail: '', level: 0, first: at, next: at + 1, nested: false };
}
