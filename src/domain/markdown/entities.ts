// Character references of HTML (`&amp;`, `&#64;`, `&#x40;`), which mean the same in markdown.

// Their syntax, as the source of regular expressions that ignore case.
export const CHARACTER_REFERENCE = '&(?:#(\\d{1,7})|#x([0-9a-f]{1,6})|([a-z][a-z0-9]{1,31}));';

const REFERENCE_AT = new RegExp(CHARACTER_REFERENCE, 'iy');
const REFERENCES = new RegExp(CHARACTER_REFERENCE, 'gi');

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  mdash: '—',
  ndash: '–',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
  copy: '©',
  reg: '®',
  trade: '™',
  bull: '•',
  middot: '·',
  times: '×',
};

// The character reference at a position of a text; null when there is none or its name is not in the table.
export function decodeEntity(source: string, at: number): { text: string; length: number } | null {
  REFERENCE_AT.lastIndex = at;
  const match = REFERENCE_AT.exec(source);
  if (!match) return null;
  const [whole, decimal, hex, name] = match;
  const text = name ? namedCharacter(name) : fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16));
  return text === undefined ? null : { text, length: whole.length };
}

function namedCharacter(name: string): string | undefined {
  const key = name.toLowerCase();
  return Object.hasOwn(NAMED, key) ? NAMED[key] : undefined;
}

// A text with its character references decoded; unknown ones stay.
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(REFERENCES, (reference) => decodeEntity(reference, 0)?.text ?? reference);
}

// Control characters become spaces. So do surrogates, which are no characters, and private-use characters, which the
// readers of notes use as delimiters of their own.
function fromCodePoint(code: number): string {
  const isText = code >= 32 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xf8ff);
  return isText ? String.fromCodePoint(code) : ' ';
}
