import { CODE_OPEN } from './code-marks.ts';
import { hasHexRun } from './hex.ts';
import { inline } from './inline.ts';

/** Every pattern has bounded parts: an item may be a megabyte of anything. */
const SHORTCODE = /:(?<![\w:]:)[a-z][a-z0-9_+-]{1,30}:(?![\w:])/g;
const LEADING_HASH = /^\W{0,2}(?=[0-9a-f]{0,39}\d)[0-9a-f]{7,40}\W{0,2}:\s/;
const HASH = /\b[0-9a-f]{7,40}\b/g;
const SHORTEST_HASH = 7;
const CODE_SPAN = /(\uE000[^\uE000\uE001]*\uE001)/;
const CODE_HASH = /^\uE000(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}\uE001$/;
const REFERENCE_ADDRESS =
  /(?:\b(?:in|via|see|closes|fixes|resolves|refs?) )?https?:\/\/[^\s()<>\]]{1,200}\/(?:pull|pulls|issues?|commits?|merge_requests|discussions)\/[\w-]{1,60}[^\s()<>\],;]{0,100}/gi;
const REFERENCE = /[#!]\d{1,7}\b|\bGH-\d{1,7}\b/g;
/** A word that only leads to a reference goes with it. */
const REFERENCE_WORD =
  /(?<=^|[\s,;([])(?:close[sd]?|fix(?:e[sd])?|resolve[sd]?|refs?|references|see|issues?|bug|pr|pull request|via|in) $/i;
const LONGEST_REPOSITORY = 140;

const USER = String.raw`@[a-z\d][a-z\d-]{0,38}(?:\[bot\])?(?![\w/]|\.\w)`;
const USERS = `${USER}(?:(?:, and |, | and | & | )${USER}){0,20}`;
const CREDIT = new RegExp(
  String.raw`(?:[\s,;–—-]{0,4}(?<![\w-])(?:by|thanks,?(?: to)?|thank you,?(?: to)?|via|(?:contributed|authored|co-authored|reported) by|courtesy of|h/t|cc|kudos to|from) )${USERS}(?: for (?:the |this )?(?:pr|fix|patch|report|reporting|contribution|contributing)\b)?[!.]?(?: [-–—:](?= ))?`,
  'gi',
);
const BRACKETED_USERS = new RegExp(String.raw`[([]${USERS}(?: in| via)? ?[)\]]`, 'gi');
const TRAILING_USERS = new RegExp(String.raw` [-–—] ?${USERS}\.?$`, 'i');
const EMPTY_BRACKETS =
  /[([](?<=(?:^|[\s,;([])[([])(?:(?:by|in|via|see|closes?|fix(?:es)?|resolves?|refs?|and|thanks|to|issues?|pulls?|pr|cc)\b|[\s,;:&|/+]){0,12}[)\]]/gi;

/** Markdown of one entry without references, hashes, credits and emoji; code spans still marked. */
export function tidyInline(raw: string): string {
  const text = inline(raw);
  let clean = text;
  if (clean.includes(':')) clean = clean.replace(SHORTCODE, '');
  if (/\d/.test(clean)) clean = withoutNumbers(clean);
  if (clean.includes('@')) clean = clean.replace(CREDIT, '').replace(BRACKETED_USERS, '').replace(TRAILING_USERS, '');
  if (clean === text && !/[([ ][)\]]/.test(text)) return trimEdges(text);
  return trimEdges(
    clean
      .replace(EMPTY_BRACKETS, '')
      .replace(EMPTY_BRACKETS, '')
      .replace(/ (?:in|by|via) ?(?=[)\]])/g, '')
      .replace(/ {2,}/g, ' ')
      .replace(/ ([,.;:!?])(?=\s|$)/g, '$1'),
  );
}

/** Drops hashes and references; what stands in code is a name, unless it is nothing but a hash. */
function withoutNumbers(text: string): string {
  const rest = hasHexRun(text, SHORTEST_HASH) ? text.replace(LEADING_HASH, '') : text;
  if (!rest.includes(CODE_OPEN)) return plainWithoutNumbers(rest);
  return rest
    .split(CODE_SPAN)
    .map((part) => (part.startsWith(CODE_OPEN) ? (CODE_HASH.test(part) ? '' : part) : plainWithoutNumbers(part)))
    .join('');
}

function plainWithoutNumbers(text: string): string {
  const clean = text.includes('://') ? text.replace(REFERENCE_ADDRESS, '') : text;
  const hashless = hasHexRun(clean, SHORTEST_HASH) ? clean.replace(HASH, unlessHash) : clean;
  return /[#!-]\d/.test(hashless) ? withoutReferences(hashless) : hashless;
}

/** A number or a word of the letters a to f is no hash, nor is part of a path, an address or a longer name. */
function unlessHash(run: string, at: number, text: string): string {
  const isHash = /\d/.test(run) && /[a-f]/.test(run) && !/[./#@-]/.test(text[at - 1] ?? '');
  return isHash && !/^(?:-|\.\w)/.test(text.slice(at + run.length, at + run.length + 2)) ? '' : run;
}

function withoutReferences(text: string): string {
  let kept = '';
  let from = 0;
  for (const match of text.matchAll(REFERENCE)) {
    const start = repositoryStart(text, from, match.index);
    const before = text[start - 1] ?? '';
    const isNumber = match[0].startsWith('!') ? /^[\s([]?$/.test(before) : !/[\w&/]/.test(before);
    if (!isNumber) continue;
    const word = REFERENCE_WORD.exec(text.slice(Math.max(from, start - 14), start))?.[0] ?? '';
    const saysFix = word.length === start && /^(?:fix|close|resolve)/i.test(word);
    kept += text.slice(from, saysFix ? start : start - word.length);
    from = match.index + match[0].length;
  }
  return from === 0 ? text : kept + text.slice(from);
}

/** Where `owner/name` in front of a number begins; the number's own place when there is none. */
function repositoryStart(text: string, from: number, at: number): number {
  let start = at;
  while (start > from && at - start < LONGEST_REPOSITORY && /[\w./-]/.test(text[start - 1] ?? '')) start -= 1;
  return text.slice(start, at).includes('/') ? start : at;
}

/** Drops what removals leave at both ends; a leading `-v` or `--flag` is text. */
function trimEdges(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && (' ,;:–—|!'.includes(text[start] ?? '') || (text[start] === '-' && text[start + 1] === ' ')))
    start += 1;
  while (end > start && (' ,;:–—|'.includes(text[end - 1] ?? '') || (text[end - 1] === '-' && text[end - 2] === ' ')))
    end -= 1;
  return text.slice(start, end);
}

export function withoutClosingPeriod(text: string): string {
  return /[^.]\.$/.test(text.slice(-2)) && !/\b(?:etc|e\.g|i\.e)\.$/i.test(text.slice(-6)) ? text.slice(0, -1) : text;
}
