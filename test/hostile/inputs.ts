// Kinds of hostile text, made from a table of seeds: repeated units, marks that are nested deeply, and openings that
// never close. Each kind can be made at any size.
import { repeated } from '../support/growth.ts';

interface HostileInput {
  name: string;
  make(size: number): string;
}

// Units that are repeated without separator.
const UNITS: readonly string[] = [
  ...['*', '_', '~', '`', '[', ']', '(', ')', '<', '>', '!', '&', '#', '-', '+', '=', '|', '\\', '"', "'", ':', ';'],
  ...[
    ' ',
    '\t',
    '\n',
    '\r',
    '\r\n',
    '\u00a0',
    '\u200b',
    '\u0000',
    '\ufeff',
    '\u2028',
    '.',
    ',',
    '/',
    '@',
    '$',
    '%',
    '^',
  ],
  ...['a', '0', 'é', '漢', '😀', 'e\u0301', '\ud800', 'ﷺ', 'ß', 'İ', '𝒳', '🏳️‍🌈', '\u202e', '１'],
  ...['*a_', '*a', '_a', '~a', '~~a', '**a', '***a', '*a*', '_a_', '**a**', '~~a~~', 'a*', 'a**b', '*_', '**_', '__*'],
  ...[
    '[a',
    'a]',
    '[a]',
    '[a](',
    '[a](b',
    '[a](b)',
    '![a',
    '![a](b',
    '![a](b)',
    '[![a](b)](c)',
    '[a][',
    '[a][b]',
    '[](',
  ],
  ...[
    '](',
    '][',
    '!',
    '![',
    '[[',
    ']]',
    '[a](b "',
    "[a](b '",
    '[a](b (',
    '[a](<b',
    '<a',
    '<a ',
    '<a b',
    '<a b="',
    "<a b='",
  ],
  ...['`a', '``a', '`a``b```c', 'a`', '`` `', '\\`', '\\*', '\\[', '&amp', '&amp;', '&#', '&#x41;', '&lt;', '&a'],
  ...[
    '<!--',
    '-->',
    '<!-- -->',
    '<?',
    '<![CDATA[',
    ']]>',
    '<!DOCTYPE ',
    '</',
    '</a',
    '</a>',
    '</p>',
    '<a>',
    '<b>',
    '<p>',
  ],
  ...['<div>', '<div><h2>', '<ul><li>', '<table><tr><td>', '<td colspan=100 rowspan=100>x', '<blockquote>', '<pre>'],
  ...['<script>', '<style>', '<svg>', '<math>', '<template>', '<select><option>', '<p><b><i>', '<h2 id=a>1.0</h2>'],
  ...[
    '<a href=x>y</a> ',
    '<img src=x>',
    '<img srcset="a,b,c">',
    '<time datetime=2024-01-01>',
    '<section><h2>1.0.0</h2>',
  ],
  ...['<article><h2>a</h2><p>', '<details><summary>', '<br>', '<code>', '<code>`', '<p>x</p>', '<span>', '<iframe>'],
  ...['http://', 'https://a.b/', 'https://a', 'www.', 'www.a.', 'a@b.c ', 'a@', '@a ', '#1 ', 'mailto:', 'a.b.', '://'],
  ...['1.', '1.0.0 ', 'v1.2.3', '1.0.0-', '1.0.0-a.', '1.0.0+', '0.0.', 'v', 'rc', '1-1-', '1.0.0-beta.1 to ', '1.x.'],
  ...[
    '2024-',
    '2024-01-01 ',
    '01/02/2024 ',
    'January ',
    'Jan 1, ',
    '1 Jan ',
    'January 15th, 2024 ',
    '12:',
    '3 days ago ',
  ],
  ...['T', 'Z', '+00:', 'CVE-', 'CVE-2024-1 ', 'GHSA-', 'a-b-', 'a_b_', 'a.b(', '--a', 'a::', 'aA', 'a1', 'foo '],
  ...[
    'BREAKING ',
    'breaking change: ',
    'fix: a ',
    'feat!: ',
    'removed ',
    'no longer ',
    '. A',
    '! ',
    '? ',
    'e.g. ',
    '(#1) ',
  ],
  ...[
    '{',
    '}',
    '{"a":',
    '[[',
    '{"a":[',
    ',',
    '":"',
    '\\u',
    '\\u0041',
    '{"version":"https://jsonfeed.org/version/1.1","items":[',
  ],
  ...['key = "', 'key = [', '[[a]]\n', 'a.b.c = ', "'''", '"""', '- a: ', '? ', '| ', '&a *a ', '!!a ', '%YAML '],
  ...['User-agent: *\n', 'Disallow: /*', 'Disallow: /*a*', 'Allow: /\n', '*a*b', '$', 'Crawl-delay: 1\n'],
  ...['<item>', '<entry>', '<rss><channel>', '<title>', '<item><title>a</title>', '<a:b xmlns:a="c">', '<![CDATA[x]]>'],
];

// Units that are repeated one per line.
const LINES: readonly string[] = [
  ...[
    '# 1.0.0',
    '## 1.0.0 (2024-01-01)',
    '## [1.0.0]',
    '### a',
    '#',
    '====',
    '----',
    '1.0.0',
    'v1.0.0',
    '1.0.0\n=====',
  ],
  ...[
    '- a',
    '* a',
    '+ a',
    '1. a',
    '1) a',
    '- ',
    '- [ ] a',
    '- - -',
    '* * *',
    '> a',
    '>',
    '  a',
    '    a',
    '\ta',
    '   - a',
  ],
  ...['```', '~~~', '```a', '````', '`', '| a | b |', '|-|-|', 'a | b\n-|-', '[a]: b', '[a]: b "', '[a]:', '[^a]: b'],
  ...[
    '<p>',
    '<!--',
    '<?',
    '<div>',
    '<b>',
    '</b>',
    '<pre>',
    '* **a:** b',
    '- a ([#1](b))',
    '**a**',
    '_a_',
    'a  ',
    'a\\',
  ],
  ...[
    'Changes',
    'Breaking Changes',
    '### Features',
    '* fix: a',
    '2024-01-01',
    'a: b',
    '---',
    '- a: |',
    '.. a::',
    'a\n~~~~',
  ],
];

// Pairs that are nested all the way down, with or without the closing part.
const PAIRS: readonly (readonly [open: string, close: string])[] = [
  ...([
    ['[', ']'],
    ['(', ')'],
    ['{', '}'],
    ['<', '>'],
    ['*', '*'],
    ['**', '**'],
    ['_', '_'],
    ['`', '`'],
    ['![', '](a)'],
  ] as const),
  ...([
    ['[', '](a)'],
    ['[a ', '](b)'],
    ['![x ', '](b)'],
    ['<b>', '</b>'],
    ['<div>', '</div>'],
    ['<p>', '</p>'],
  ] as const),
  ...([
    ['<ul><li>', '</li></ul>'],
    ['<table><tr><td>', '</td></tr></table>'],
    ['<blockquote>', '</blockquote>'],
  ] as const),
  ...([
    ['<a href=x>', '</a>'],
    ['<section><h2>1.0</h2>', '</section>'],
    ['<div id=a><h2>', '</h2></div>'],
  ] as const),
  ...([
    ['<item>', '</item>'],
    ['{"a":', '}'],
    ['[1,', ']'],
    ['> ', ''],
    ['- ', ''],
    ['1. ', ''],
    ['+ ', ''],
    ['  - ', '\n'],
  ] as const),
  ...([
    ['"', '"'],
    ["'", "'"],
    ['/*', '*/'],
    ['<!--', '-->'],
    ['<article>', '</article>'],
    ['<li>', '</li>'],
  ] as const),
];

export const HOSTILE_INPUTS: readonly HostileInput[] = [
  ...UNITS.map((unit) => ({ name: `${shown(unit)} repeated`, make: (size: number) => fill(unit, size) })),
  ...LINES.map((line) => ({ name: `lines of ${shown(line)}`, make: (size: number) => fill(`${line}\n`, size) })),
  ...PAIRS.map(([open, close]) => ({
    name: `${shown(open)} … ${shown(close)} in depth`,
    make: (size: number) => {
      const depth = Math.floor(size / (open.length + close.length));
      return `${open.repeat(depth)}x${close.repeat(depth)}`;
    },
  })),
  // Each line is indented deeper than the one before.
  ...['- a', '> a', '1. a', 'a'].map((line) => ({
    name: `${shown(line)} as stairs`,
    make: (size: number) => stairs(line, size),
  })),
  ...['`', '*', '=', '~'].map((mark) => ({
    name: `${mark} in growing runs`,
    make: (size: number) => growing(mark, size),
  })),
  { name: 'a long word behind openings', make: (size) => fill('[<*_`', size / 2) + fill('a', size / 2) },
  { name: 'openings, then ends', make: (size) => fill('[*_', size / 2) + fill('_*]', size / 2) },
  { name: 'a wide table of short rows', make: (size) => table(size) },
  { name: 'definitions and their uses', make: (size) => fill('[a]: b\n', size / 2) + fill('[a] ', size / 2) },
  {
    name: 'many labels',
    make: (size) => numbered((n) => `[l${n}]: b\n`, size / 2) + numbered((n) => `[l${n}] `, size / 2),
  },
  { name: 'many versions', make: (size) => numbered((n) => `## ${n}.0.0\n- a\n`, size) },
  { name: 'many words', make: (size) => numbered((n) => `w${n} `, size) },
  { name: 'many attributes', make: (size) => `<p ${numbered((n) => `a${n}=1 `, size)}>` },
  { name: 'many keys', make: (size) => `{${numbered((n) => `"k${n}":1,`, size)}"z":1}` },
  { name: 'many dates', make: (size) => numbered((n) => `${1970 + (n % 60)}-01-01: a${n}\n`, size) },
];

function fill(unit: string, size: number): string {
  return repeated(unit)(size);
}

function numbered(write: (n: number) => string, size: number): string {
  let text = '';
  for (let n = 0; text.length < size; n += 1) text += write(n);
  return text;
}

function stairs(line: string, size: number): string {
  let text = '';
  for (let indent = 0; text.length < size; indent += 1) text += `${' '.repeat(indent % 400)}${line}\n`;
  return text;
}

function growing(mark: string, size: number): string {
  let text = '';
  for (let length = 1; text.length < size; length += 1) text += `${mark.repeat(length)}a`;
  return text;
}

function table(size: number): string {
  const columns = Math.floor(Math.sqrt(size));
  return `${'|a'.repeat(columns)}|\n${'|-'.repeat(columns)}|\n${fill('|b|\n', size - 4 * columns)}`;
}

function shown(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}
