// Writes text of third parties into a result: fenced and marked as quoted, or on one line if it is a name. It can neither end
// its fence nor begin a line, so that a reader always sees who wrote it.

import { withoutHidden } from '../domain/hidden-characters.ts';
import { escapedName } from '../domain/markdown/strangers-text.ts';

const MAX_INLINE_LENGTH = 200;

// A fence longer than any run of backticks inside it cannot be closed from inside.
export function quoted(text: string): string {
  const body = plain(text).trim();
  if (body === '') return '';
  const longest = Math.max(2, ...[...body.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}quoted\n${body}\n${fence}`;
}

// A name, version or heading on the line of another text: no line breaks, and no markup of its own.
export function inline(text: string): string {
  const line = plain(text).replace(/\s+/g, ' ').trim();
  const short = line.length > MAX_INLINE_LENGTH ? `${cutAt(line, MAX_INLINE_LENGTH)}…` : line;
  return escapedName(short);
}

// Addresses stand between angle brackets; whatever could leave them is percent-encoded.
export function link(url: string): string {
  const safe = plain(url).replace(/[\s<>`\\]/g, (char) => encodeURIComponent(char));
  return `<${safe}>`;
}

// The beginning of a text, never ending within a surrogate pair.
export function cutAt(text: string, length: number): string {
  const cut = text.slice(0, length);
  return /[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut;
}

// The text cut to `most` characters, including the ellipsis.
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  return most < 2 ? '' : `${cutAt(text, most - 1).trimEnd()}…`;
}

// The text with line feeds as line ends, without control characters and without characters that reorder or hide text.
function plain(text: string): string {
  const lines = text.toWellFormed().replace(/\r\n?|[\u2028\u2029\u0085]/g, '\n');
  return withoutHidden(lines.replace(/[^\P{Cc}\t\n]/gu, ''));
}
