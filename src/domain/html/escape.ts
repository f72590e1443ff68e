// Text as markdown: what a reader would take for a mark is escaped, and nothing else, so that prose stays readable.

const MARKS = /\\(?=[!-/:-@[-`{-~])|[`*]|~(?=~)|<(?=[a-z/!?])|&(?=#?\w{1,32};)|\](?=[([:])|_/gi;
const BRACKETS = /[[\]]/g;
const LINE_START =
  /^(?:(?<number>\d{1,9})(?<dot>[.)])(?=\s|$)|(?<mark>[-+](?=\s|$)|#{1,6}(?=\s|$)|>|-{3,}\s*$|={1,}\s*$|~{3}))/;
const WORD = /[\p{L}\p{N}]/u;

// `inLink`: brackets would end the label of a link.
export function escapeText(text: string, inLink = false): string {
  const escaped = text.replace(MARKS, (mark, at: number) => {
    if (mark === '*' && isSpace(text[at - 1]) && isSpace(text[at + 1])) return mark;
    // Inside a word an underscore is never emphasis: `snake_case` stays as it is.
    if (mark === '_' && WORD.test(text[at - 1] ?? '') && WORD.test(text[at + 1] ?? '')) return mark;
    return mark === ']' && inLink ? mark : `\\${mark}`;
  });
  return inLink ? escaped.replace(BRACKETS, (bracket) => `\\${bracket}`) : escaped;
}

// A line of a paragraph that would otherwise begin a list, heading, quote or rule.
export function escapeLineStart(line: string): string {
  return line.replace(LINE_START, (all, number?: string, dot?: string) =>
    number === undefined ? `\\${all}` : `${number}\\${dot}`,
  );
}

// A fence of backticks that nothing in the text can end.
export function backticksAround(text: string, least: number): string {
  let longest = 0;
  for (const run of text.match(/`+/g) ?? []) longest = Math.max(longest, run.length);
  return '`'.repeat(longest < least ? least : longest + 1);
}

// Code inside a line.
export function codeSpan(text: string): string {
  const code = text.replace(/\s+/g, ' ').trim();
  if (code === '') return '';
  const fence = backticksAround(code, 1);
  const room = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return fence + room + code + room + fence;
}

// An address as the target of a link.
export function targetText(url: string): string {
  const safe = url.replace(/[<>\s]/g, encodeURIComponent);
  return isBalanced(safe) ? safe : safe.replace(/[()]/g, (paren) => (paren === '(' ? '%28' : '%29'));
}

function isBalanced(text: string): boolean {
  return !/[()]/.test(text) || /^[^()]*(?:\([^()]*\)[^()]*)+$/.test(text);
}

function isSpace(char: string | undefined): boolean {
  return char === undefined || char === ' ' || char === '\n';
}
