// Identifiers in text: names, versions, flags and references that mean something only as a whole. They are the exact tokens
// by which the index finds a release.
import { MAX_VERSION_LENGTH, parseVersion } from '../versions/index.ts';
import { splitPackage } from '../versions/parse.ts';
import { withoutLeadingZeros } from '../versions/sort-key.ts';
import { foldText } from './analysis.ts';

const MIN_LENGTH = 2;
const MAX_LENGTH = 80;
const MAX_SCHEME = 20;

// Classes of ASCII characters. Characters without a class separate names: white space, quotes, brackets and other marks.
const ALNUM = 1;
const MARK = 2;
const CLASSES = classTable();

const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
const INNER_MARK = /[._/:@-]/;
const SCHEME_CHARACTER = /[a-z0-9+.-]/;
const ADDRESS_END = /[\s<>()[\]{}"'`|]/g;
const V_BEFORE_DIGIT = /^v(?=\d)/;
const VERSION_AFTER_AT = /@v(?=\d)/g;

export interface Identifier {
  // The normal form: lower case, without `()` and without `v` before a digit.
  text: string;
  // It was written with `()`.
  call: boolean;
}

// What a name has to hold that a plain word does not: a mark, or the brackets of a call behind it.
const SIGN = /[._/:@#-]|\(\)/g;

// The identifiers of folded text, in the order of their appearance; the same one may come again. Signs are searched for and
// the names around them read, because most words have none.
export function identifiersIn(folded: string): Identifier[] {
  const text = withoutAddresses(folded);
  const identifiers: Identifier[] = [];
  let from = 0;
  SIGN.lastIndex = 0;
  for (let sign = SIGN.exec(text); sign !== null; sign = SIGN.exec(text)) {
    let start = sign.index;
    while (start > from && !isBetweenNames(text, start - 1)) start -= 1;
    let end = sign.index;
    while (end < text.length && !isBetweenNames(text, end)) end += 1;
    const found = nameBetween(text, start, end);
    if (found) identifiers.push(found);
    from = end + 1;
    SIGN.lastIndex = from;
  }
  return identifiers;
}

// Two dots end a name, as a character without a class does.
function isBetweenNames(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  const kind = code < 128 ? CLASSES[code] : classBeyondAscii(text, at, code);
  return kind === 0 || (code === 46 && text.charCodeAt(at + 1) === 46);
}

function nameBetween(text: string, start: number, end: number): Identifier | null {
  let first = start;
  while (first < end && !isLetterOrDigit(text, first)) first += 1;
  if (first === end) return null;
  let last = end - 1;
  while (!isLetterOrDigit(text, last)) last -= 1;
  // 40 and 41 are `(` and `)`: the name is a call.
  const call = last === end - 1 && text.charCodeAt(end) === 40 && text.charCodeAt(end + 1) === 41;
  return identifierOf(text, start, first, last + 1, call);
}

function isLetterOrDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code < 128 ? CLASSES[code] === ALNUM : classBeyondAscii(text, at, code) === ALNUM;
}

function identifierOf(text: string, start: number, first: number, end: number, call: boolean): Identifier | null {
  if (end - first > MAX_LENGTH + 1) return null;
  const body = text.slice(first, end);
  const mark = leadingMark(text, start, first);
  if (mark === '' && !call && !INNER_MARK.test(body)) return null;
  const bare = mark === '' ? body.replace(V_BEFORE_DIGIT, '') : mark + body;
  const normal = bare.includes('@v') ? bare.replace(VERSION_AFTER_AT, '@') : bare;
  return normal.length >= MIN_LENGTH && normal.length <= MAX_LENGTH ? { text: normal, call } : null;
}

// The mark before the first letter that belongs to the name: `@`, `#` or `--`. Other marks are dropped.
function leadingMark(text: string, start: number, first: number): string {
  if (first === start) return '';
  const before = text.slice(Math.max(start, first - 3), first);
  if (before.endsWith('@')) return '@';
  if (before.endsWith('#')) return before.endsWith('##') ? '' : '#';
  return before.endsWith('--') && before !== '---' ? '--' : '';
}

// Whether characters beyond ASCII are letters or digits, by code point and filled on demand: 0 is not known yet.
const YES = 1;
const NO = 2;
const lettersOrDigits = new Uint8Array(0x110000);

function classBeyondAscii(text: string, at: number, code: number): number {
  // The second half of a surrogate pair has the class of the whole character.
  const from = code >= 0xdc00 && code <= 0xdfff && at > 0 ? at - 1 : at;
  const point = text.codePointAt(from) ?? 0;
  lettersOrDigits[point] ||= LETTER_OR_DIGIT.test(String.fromCodePoint(point)) ? YES : NO;
  return lettersOrDigits[point] === YES ? ALNUM : 0;
}

function classTable(): Uint8Array {
  const table = new Uint8Array(128);
  for (let code = 0; code < 128; code += 1) {
    const character = String.fromCharCode(code);
    if (/[a-z0-9]/i.test(character)) table[code] = ALNUM;
    else if ('._/:-@#+'.includes(character)) table[code] = MARK;
  }
  return table;
}

// Web addresses are removed, because their parts would crowd out the names of a note.
function withoutAddresses(text: string): string {
  let at = text.indexOf('://');
  if (at === -1) return text;
  let remaining = '';
  let from = 0;
  for (; at !== -1; at = text.indexOf('://', from)) {
    remaining += `${text.slice(from, schemeStart(text, at, from))} `;
    ADDRESS_END.lastIndex = at + 3;
    from = ADDRESS_END.exec(text)?.index ?? text.length;
  }
  return remaining + text.slice(from);
}

function schemeStart(text: string, colon: number, from: number): number {
  let start = colon;
  const lowest = Math.max(from, colon - MAX_SCHEME);
  while (start > lowest && SCHEME_CHARACTER.test(text.charAt(start - 1))) start -= 1;
  return start;
}

// The exact tokens of a release, and their stored form.

const MAX_TOKENS = 512;
const MAX_SERIES_LENGTH = 80;

// The exact tokens of a release in normal form, the most significant first. Title and body are folded texts.
export function exactTokens(title: string, version: string | null, body: string): string[] {
  const found = new Set<string>();
  collect(found, title);
  if (version !== null) collectVersion(found, version);
  collect(found, body);
  return [...found];
}

// The token by which a query finds all versions of a series: `15.0` → `~15.0`.
export function seriesToken(numbers: readonly string[]): string {
  return `~${numbers.map(withoutLeadingZeros).join('.')}`;
}

function collect(found: Set<string>, folded: string): void {
  if (found.size >= MAX_TOKENS) return;
  for (const { text: token } of identifiersIn(folded)) {
    add(found, token);
    // `@scope/pkg@1.2.3` also mentions the package and the version.
    const at = token.lastIndexOf('@');
    if (at > 0) for (const part of [token.slice(0, at), token.slice(at + 1)]) collectPart(found, part);
    if (found.size >= MAX_TOKENS) return;
  }
}

function collectPart(found: Set<string>, part: string): void {
  for (const { text } of identifiersIn(part)) add(found, text);
}

function collectVersion(found: Set<string>, version: string): void {
  const folded = foldText(version);
  collect(found, folded);
  if (version.length > MAX_VERSION_LENGTH) return;
  const own = foldText(splitPackage(version.trim()).version);
  if (own !== folded) collect(found, own);
  const numbers = parseVersion(version)?.numbers ?? [];
  for (const count of [2, 1]) {
    const series = seriesToken(numbers.slice(0, count));
    if (numbers.length >= count && series.length <= MAX_SERIES_LENGTH) add(found, series);
  }
}

function add(found: Set<string>, token: string): void {
  if (found.size < MAX_TOKENS) found.add(token);
}

// Stored form of exact terms. No tokenizer splits or stems it: marks are private-use characters, and one closes it.
const MARKS = 0xe000;
const CLOSE = '\ue0ff';
// Marks terms that filters look for; without it a note that contains `kind:sdk` would pass as a release of that kind.
const SCOPE = '\ue0fe';
const ASCII_MARKS: (string | undefined)[] = Array.from({ length: 128 });
for (const mark of '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~') {
  ASCII_MARKS[mark.charCodeAt(0)] = String.fromCharCode(MARKS + mark.charCodeAt(0));
}

export function encodeToken(token: string): string {
  let encoded = '';
  let from = 0;
  for (let at = 0; at < token.length; at += 1) {
    const mark = ASCII_MARKS[token.charCodeAt(at)];
    if (mark === undefined) continue;
    encoded += token.slice(from, at) + mark;
    from = at + 1;
  }
  return encoded + token.slice(from) + CLOSE;
}

export function encodeScope(term: string): string {
  return SCOPE + encodeToken(term.toLowerCase());
}
