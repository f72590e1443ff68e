// Escapes text for markdown. Only what a parser would take for syntax is escaped, so that prose stays readable.

const SYNTAX = /\\(?=[!-/:-@[-`{-~])|[`*]|~(?=~)|<(?=[a-z/!?])|&(?=#?\w{1,32};)|\](?=[([:])|_/gi;
const BRACKETS = /[[\]]/g;
const LINE_START =
  /^(?:(?<number>\d{1,9})(?<dot>[.)])(?=\s|$)|(?<marker>[-+](?=\s|$)|#{1,6}(?=\s|$)|>|-{3,}\s*$|={1,}\s*$|~{3}))/;
const WORD = /[\p{L}\p{N}]/u;

// In the label of a link all brackets are escaped, because they would end it.
export function escapeText(text: string, inLink = false): string {
  const escaped = text.replace(SYNTAX, (character, at: number) => {
    if (character === '*' && isSpace(text[at - 1]) && isSpace(text[at + 1])) return character;
    // Inside a word an underscore is never emphasis: `snake_case` stays as it is.
    const isInWord = WORD.test(text[at - 1] ?? '') && WORD.test(text[at + 1] ?? '');
    if (character === '_' && isInWord) return character;
    return character === ']' && inLink ? character : `\\${character}`;
  });
  return inLink ? escaped.replace(BRACKETS, (bracket) => `\\${bracket}`) : escaped;
}

// Escapes a line of a paragraph that would otherwise begin a list, a heading, a block quote or a thematic break.
export function escapeLineStart(line: string): string {
  return line.replace(LINE_START, (all, number?: string, dot?: string) =>
    number === undefined ? `\\${all}` : `${number}\\${dot}`,
  );
}

// A run of backticks that is longer than any in the text, so that nothing in it can end the code.
export function backticksAround(text: string, least: number): string {
  let longest = 0;
  for (const run of text.match(/`+/g) ?? []) longest = Math.max(longest, run.length);
  return '`'.repeat(longest < least ? least : longest + 1);
}

export function codeSpan(text: string): string {
  const code = text.replace(/\s+/g, ' ').trim();
  if (code === '') return '';
  const fence = backticksAround(code, 1);
  const padding = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return fence + padding + code + padding + fence;
}

// A URL as a link destination.
export function linkDestination(url: string): string {
  const safe = url.replace(/[<>\s]/g, encodeURIComponent);
  return isBalanced(safe) ? safe : safe.replace(/[()]/g, (paren) => (paren === '(' ? '%28' : '%29'));
}

function isBalanced(text: string): boolean {
  return !/[()]/.test(text) || /^[^()]*(?:\([^()]*\)[^()]*)+$/.test(text);
}

function isSpace(char: string | undefined): boolean {
  return char === undefined || char === ' ' || char === '\n';
}
