// Character references of HTML, which mean the same in markdown.
const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/iy;

const ANY_ENTITY = /&[#a-z0-9]{2,9};/gi;

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

// The character reference at a position of a text, null when there is none.
export function decodeEntity(source: string, at: number): { text: string; length: number } | null {
  ENTITY.lastIndex = at;
  const match = ENTITY.exec(source);
  if (!match) return null;
  const [whole, decimal, hex, name] = match;
  const text = name
    ? NAMED[name.toLowerCase()]
    : fromCodePoint(decimal ? Number(decimal) : Number.parseInt(hex ?? '', 16));
  return text === undefined ? null : { text, length: whole.length };
}

// A text with its character references read; unknown ones stay.
export function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(ANY_ENTITY, (reference) => decodeEntity(reference, 0)?.text ?? reference);
}

// Control characters, surrogates and private-use marks are no text.
function fromCodePoint(code: number): string {
  const isText = code >= 32 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xf8ff);
  return isText ? String.fromCodePoint(code) : ' ';
}
