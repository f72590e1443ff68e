// Texts and names of strangers inside of our markdown: they bring no markup, HTML, picture or link, call nobody, refer to nothing
// and close nothing on a code host. Plain words stay as they are.

const BIDI = '\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';
const CONTROLS = new RegExp(`[\\p{Cc}\\u2028\\u2029${BIDI}]+`, 'gu');
const WORD = /[\p{L}\p{N}]/u;
const MARKUP = /[\\`*_[\]<|~$]|&(?=#?\w{1,32};)/g;
const LINE_START = /^(?:[-+](?=[-+\s]|$)|>|=+\s*$|#{1,6}(?=\s|$))/;
const NUMBERED = /^(\d{1,9})(?=[.)](?:\s|$))/;

// It is not seen, and parts what is only an address, a mention or a reference as long as nothing stands in between.
const JOINER = '\u2060';
const REFERENCES: readonly [RegExp, string][] = [
  // Mentions and addresses of mail; issues, merge requests, epics and milestones.
  [/@(?=[\p{L}\p{N}_-])|(?<![\p{L}\p{N}])[!%](?=\d)|[#&](?=\d)/gu, `$&${JOINER}`],
  [/\bGH-(?=\d)/gi, `$&${JOINER}`],
  // Addresses without marks around them.
  [/:(?=\/\/)/g, `$&${JOINER}`],
  [/\bwww(?=\.)/gi, `$&${JOINER}`],
  // Pictures by their names.
  [/:(?=[\w+-]+:)/g, `$&${JOINER}`],
];
const COMMIT = /(?<![\p{L}\p{N}])(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{7,64}(?![\p{L}\p{N}])/gu;

// Everything is text, on one line.
export function escapedText(text: string): string {
  return atLineStart(withoutMarkup(text));
}

function atLineStart(text: string): string {
  return text.replace(LINE_START, '\\$&').replace(NUMBERED, '$1\\');
}

function withoutMarkup(text: string): string {
  const flat = oneLine(text);
  const escaped = flat.replace(MARKUP, (mark, at: number) => {
    const [before = '', after = ''] = [flat[at - 1], flat[at + 1]];
    // Who reads the text as it is finds no tag either.
    if (mark === '<') return '&lt;';
    if (mark === '*' && before === ' ' && after === ' ') return mark;
    // Inside of a word it is never emphasis.
    return mark === '_' && WORD.test(before) && WORD.test(after) ? mark : `\\${mark}`;
  });
  const parted = escaped.replace(COMMIT, (hash) => hash.replace(/.{6}(?=.)/g, `$&${JOINER}`));
  return REFERENCES.reduce((text, [pattern, by]) => text.replace(pattern, by), parted);
}

// Code between backticks stays code; everything else is text.
export function textWithCode(text: string): string {
  const parts = text.split('`');
  if (parts.length % 2 === 0) return escapedText(text);
  const written = parts.map((part, index) => (index % 2 === 1 ? codeSpan(part) : around(part)));
  // Two runs of backticks side by side would be one.
  const line = written.reduce(
    (all, part) => all + (all.endsWith('`') && part.startsWith('`') ? JOINER : '') + part,
    '',
  );
  return atLineStart(line);
}

function around(text: string): string {
  const [start, end] = [/^\s/.test(text) ? ' ' : '', /\S\s+$/.test(text) ? ' ' : ''];
  return `${start}${withoutMarkup(text)}${end}`;
}

// Nothing inside of it takes effect, and every character stays. What would end the code, or the cell of a table around it, is
// text instead.
export function codeSpan(text: string): string {
  const code = oneLine(text);
  return code === '' || /[`|]/.test(code) ? escapedText(code) : `\`${code}\``;
}

// A name as it is where nothing in it could take effect, else as code: who copies it gets every character.
export function escapedName(name: string): string {
  const text = escapedText(name);
  return text === oneLine(name) ? text : codeSpan(name);
}

// Words of ours or escaped ones, with an address in which strangers' names may stand.
export function linkTo(url: string, words: string): string {
  return `[${words}](${url.replace(/[\s\\`|[\]<>()]/g, percentEncoded)})`;
}

function percentEncoded(character: string): string {
  return character === '(' ? '%28' : character === ')' ? '%29' : encodeURIComponent(character);
}

function oneLine(text: string): string {
  return text
    .toWellFormed()
    .replace(/[\s\u0085]+/g, ' ')
    .replace(CONTROLS, '')
    .trim();
}
