// Cleans the text of an entry: without references, commit hashes, credits and emoji.
import { CODE_OPEN, unmark, withoutEmojiCodes } from '../clean-text.ts';
import { readMarker } from './classify.ts';
import { inline } from './inline.ts';
import { hasHexRun } from './markdown-lines.ts';
import { withoutRoles } from './roles.ts';
import { markPeople, restorePeople, withoutNameBehindNumber, withoutNames, withoutUsers } from './talk.ts';

// Every part of a pattern is bounded, because an entry may be a megabyte of anything.
const LEADING_HASH = /^\W{0,2}(?=[0-9a-f]{0,39}\d)[0-9a-f]{7,40}\W{0,2}:\s/;
const HASH = /\b[0-9a-f]{7,40}\b/g;
const MIN_HASH_LENGTH = 7;
const CODE_SPAN = /(\uE000[^\uE000\uE001]*\uE001)/;
const CODE_HASH = /^\uE000(?:(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}|#\d{1,7})\uE001$/;
const REFERENCE_URL =
  /(?:\b(?:in|via|see|closes?|fixes|resolves|refs?) )?(?:https?:\/\/|\/(?=github\.com\/|gitlab\.com\/))[^\s()<>\]]{1,200}\/(?:pull|pulls|issues?|commits?|merge_requests|discussions)\/[\w-]{1,60}[^\s()<>\],;]{0,100}/gi;
const REFERENCE = /[#!]\d{1,7}\b(?:#issuecomment-\d{1,12})?|\bGH-\d{1,7}\b|#[A-Z]{2,10}-\d{1,7}\b/g;
// The number of a ticket before the text.
const LEADING_TICKET = /^\[?[A-Z][A-Z0-9]{1,11}-\d{1,7}\]?(?:\s?[-–—:])?\s+(?=\S)/;
// Words that introduce a reference are removed together with it.
const REFERENCE_WORD =
  /(?:(?<=^|[,;([]|[,;([.] )(?:closed|fixed|resolved|closing|fixing|resolving)|(?<=^|[\s,;([])(?:closes?|fix(?:es)?|resolves?|refs?|references|see|issues?|bug|pr|pull request|via|in)) $/i;
// A reference stays behind these words, because "Better fix for #12" or "to fix #12" mean nothing without the number.
const NEEDS_NUMBER =
  /\b(?:for|of|about|reverts?|reverted|undo|reland|(?:follow-?up|related|due|similar) to|to (?:fix|address|close|resolve|solve)|(?:introduced|caused|requested|described|discussed|documented|explained|mentioned|proposed|suggested|outlined|started|broken|regression|regressed|as) (?:in|by|with|from|since)) (?:(?:the )?(?:pr|issue|pull request) )?$/i;
const MAX_REPOSITORY_LENGTH = 140;

// What is left of "fixes #12" at the end of a text when the number is gone.
const LEFT_WORD =
  /(?:(?:[,;([]|\s[–—-])\s{0,2}(?:fix(?:es)?|close[sd]?|resolve[sd]?|refs?|see)|,\s{0,2}closed issue|\s(?:closes|refs?|see|from|in)|(?: [-–—])? (?:and|or|&)|[.;] (?:for )?(?:examples?|usage|e\.g\.?))\.?$/i;
const MAX_LEFT_WORD_LENGTH = 18;
const EMPTY_BRACKETS =
  /[([](?<=(?:^|[\s,;([])[([])(?!(?<=^\[)[a-z]{2,12}\] )(?:(?:by|in|via|see|closes?|fix(?:es)?|resolves?|refs?|and|thanks|to|issues?|pulls?|pr|cc)\b|[\s,;:&|/+]){0,12}[)\]]/gi;

// Parentheses that held a commit or number and a name: "(Jane in )", "(, Jane)", "(Jane, )".
const LEFT_BRACKET = / \((?:[^()]{2,40} (?:in|via) ?|\s?[,;][^()]{2,40}|[^()]{2,40}[,;]\s?)\)(?=\.?$)/;
// What is left of "see #12 for details".
const LEFT_POINTER =
  /(?:[,;(]?\s?\bsee {1,2}|\s?[,;(] {0,2})for (?:more |further )?(?:details?|info|information|context)\)?(?=$|[.;])/gi;
// A line of a commit log: "hash subject (author)".
const LOG_LINE = /^\W{0,3}[0-9a-f]{7,40}\b(?!:)|^[\s*-]{0,6}\[`?[0-9a-f]{6,40}`?\]\(/;
const LOG_AUTHOR =
  / \(\uE000?(?:[\p{L}][\p{L}\p{N}_.-]{2,38}|\p{Lu}[\p{L}'’.-]{0,30}(?: \p{Lu}[\p{L}'’.-]{0,30}){1,2})\uE001?\)$/u;
// A marker at the end of an entry, which repeats its class.
const CLOSING_MARKER = /[\s–—-]{1,3}[([]?BREAKING(?: CHANGES?)?[)\]]?[.!]?$/;

// A link of a doc comment shows its label, or else its target: "{@link Collection#reduce}", "{@link open|opening}".
const DOC_LINK = /\{@link(?:code|plain)? {1,3}([^\s|{}]{1,100})(?:[\s|]{1,3}([^{}]{1,100}))?\}/g;

// The text of an entry as readers see it, from the text as published.
export function cleanItem(raw: string): string {
  const marked = tidyInline(raw);
  return visibleText(marked.slice(readMarker(marked).length));
}

// The same from the text that `tidyInline` has made, behind its marker.
export function visibleText(marked: string): string {
  return withoutClosingPeriod(unmark(marked).trim());
}

// The cleaned text of one entry in markdown, with delimiters around its code spans.
export function tidyInline(written: string): string {
  const raw = withoutRoles(
    written.includes('{@link')
      ? written.replace(DOC_LINK, (_, target: string, label?: string) => label ?? target)
      : written,
  );
  const { text: source, names } = markPeople(raw.includes('](') ? raw.replace(LINKED_NUMBER, '') : raw);
  const text = inline(source);
  let clean = withoutEmojiCodes(text);
  if (/\d/.test(clean)) clean = withoutNumbers(withoutNameBehindNumber(clean));
  if (clean !== text || source !== raw) clean = withoutEmptyBrackets(clean).trimEnd();
  if (!/^[A-Zg-z]/.test(raw) && LOG_LINE.test(raw)) clean = clean.replace(LOG_AUTHOR, '');
  if (clean.includes('@')) clean = restorePeople(withoutUsers(clean), names);
  clean = withoutNames(clean);
  if (clean.includes('BREAKING')) clean = clean.replace(CLOSING_MARKER, '');
  if (clean === text && source === raw && !/[([ ][)\]]/.test(text)) return trimEdges(text);
  const repaired = withoutGaps(clean);
  return trimEdges(text.length > clean.length || source !== raw ? withoutLeftWord(repaired) : repaired);
}

// Closes the gaps that removals leave. A pattern is tried only where the text has a character that it needs, because most
// texts need no repair.
function withoutGaps(clean: string): string {
  let text = clean;
  if (text.includes(',')) {
    text = text
      .replace(/,(?:\s?,){1,20}/g, ',')
      .replace(/,\s?(?=[:;])/g, '')
      .replace(/:\s?,\s?/g, ': ');
  }
  if (/for /i.test(text)) text = text.replace(LEFT_POINTER, '');
  text = withoutEmptyBrackets(text);
  if (/[)\]]/.test(text)) text = text.replace(/ (?:in|by|via) ?(?=[)\]])/g, '');
  if (/ [ ,.;:!?]|[([] /.test(text)) {
    text = text
      .replace(/ {2,}/g, ' ')
      .replace(/(?<=[([]) /g, '')
      .replace(/ ([,.;:!?])(?=\s|$)/g, '$1');
  }
  if (!/[\s,;.]/.test(text.slice(-1))) return text;
  return text
    .replace(/([.!?])\s?[,;][\s,;.]{0,6}$/, '$1')
    .replace(/(?<!\.)\.\.$/, '.')
    .replace(/,\s?\.$/, '.');
}

function withoutLeftWord(text: string): string {
  const left = LEFT_WORD.exec(text.slice(-MAX_LEFT_WORD_LENGTH));
  return left ? text.slice(0, text.length - left[0].length) : text;
}

function withoutEmptyBrackets(text: string): string {
  if (!/[)\]]/.test(text)) return text;
  const requested = text.includes('for #') ? text.replace(/\( ?for #\d{1,7}\)/g, '') : text;
  const emptied = requested.replace(EMPTY_BRACKETS, '');
  let rest = emptied === requested ? requested : emptied.replace(EMPTY_BRACKETS, '');
  if (/\)\.?$/.test(rest.slice(-2))) rest = rest.replace(LEFT_BRACKET, '');
  return rest.includes('[') ? rest.replace(/(?<=[).!?])\[[\s,]{0,4}\]/g, '') : rest;
}

// Links whose text is only a number or a range of commits, and a linked "issue" or "PR" at the beginning of an entry.
const LINKED_NUMBER =
  /\[(?:\d{2,7}|[0-9a-f]{6,40}\.{2,3}[0-9a-f]{6,40})\]\([^)\s]{1,300}\)|^[\s*-]{0,6}\[(?:issue|pr|pull request|commit|bug)\]\([^)\s]{8,200}\/\w{1,60}\)(?= )/gi;

// Removes hashes and references. Code spans stay, unless they hold only a hash.
function withoutNumbers(text: string): string {
  const numbered = /^\[?[A-Z]/.test(text) ? text.replace(LEADING_TICKET, '') : text;
  const hashed = hasHexRun(numbered, MIN_HASH_LENGTH);
  const rest = hashed ? numbered.replace(LEADING_HASH, '') : numbered;
  if (!rest.includes(CODE_OPEN)) return plainWithoutNumbers(rest, hashed);
  return rest
    .split(CODE_SPAN)
    .map((part) =>
      part.startsWith(CODE_OPEN) ? (CODE_HASH.test(part) ? '' : part) : plainWithoutNumbers(part, hashed),
    )
    .join('');
}

// `hashed` is false when the text cannot hold a hash.
function plainWithoutNumbers(text: string, hashed: boolean): string {
  const clean = /:\/\/|\/git/.test(text) ? text.replace(REFERENCE_URL, '') : text;
  const hashless = hashed ? clean.replace(HASH, unlessHash) : clean;
  return /[#!-]\d|#[A-Z]/.test(hashless) ? withoutReferences(hashless) : hashless;
}

// A number, or a word of the letters a to f, is no hash; neither is a part of a path, a URL or a longer name.
function unlessHash(run: string, at: number, text: string): string {
  const isHash = /\d/.test(run) && /[a-f]/.test(run) && !/[./#@-]/.test(text[at - 1] ?? '');
  return isHash && !/^(?:-|\.\w)/.test(text.slice(at + run.length, at + run.length + 2)) ? '' : run;
}

function withoutReferences(text: string): string {
  let cleaned = '';
  let from = 0;
  for (const match of text.matchAll(REFERENCE)) {
    const start = repositoryStart(text, from, match.index);
    const before = text[start - 1] ?? '';
    const isNumber = match[0].startsWith('!') ? /^[\s([]?$/.test(before) : !/[\w&/]/.test(before);
    if (!isNumber) continue;
    const follows = before === ' ';
    if (follows && NEEDS_NUMBER.test(text.slice(Math.max(0, start - 40), start))) continue;
    const word = follows ? (REFERENCE_WORD.exec(text.slice(Math.max(from, start - 14), start))?.[0] ?? '') : '';
    // In "Fix #12, for that …" the rest of the sentence depends on the number.
    if (text[match.index + match[0].length] === ',' && word.length === start && word !== '') continue;
    const saysFix = word.length === start && /^(?:fix|close|resolve)/i.test(word);
    cleaned += text.slice(from, saysFix ? start : start - word.length);
    from = match.index + match[0].length;
  }
  return from === 0 ? text : cleaned + text.slice(from);
}

// The start of the `owner/name` before a number, or of the number itself.
function repositoryStart(text: string, from: number, at: number): number {
  let start = at;
  while (start > from && at - start < MAX_REPOSITORY_LENGTH && /[\w./-]/.test(text[start - 1] ?? '')) start -= 1;
  return text.slice(start, at).includes('/') ? start : at;
}

const LEADING_SIGNS = '-*•·=>»→/~.+&)]';

// Removes the punctuation that other removals leave at both ends; a leading `-v` or `--flag` is text.
function trimEdges(text: string): string {
  let start = 0;
  let end = text.length;
  while (
    start < end &&
    (' ,;:–—|!'.includes(text[start] ?? '') || (text[start + 1] === ' ' && LEADING_SIGNS.includes(text[start] ?? ' ')))
  )
    start += 1;
  while (end > start && (' ,;:–—|'.includes(text[end - 1] ?? '') || (text[end - 1] === '-' && text[end - 2] === ' ')))
    end -= 1;
  return text.slice(start, end);
}

export function withoutClosingPeriod(text: string): string {
  return text.endsWith('.') && /[^.]\.$/.test(text.slice(-2)) && !/\b(?:etc|e\.g|i\.e)\.$/i.test(text.slice(-6))
    ? text.slice(0, -1)
    : text;
}
