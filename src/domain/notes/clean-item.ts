import { CODE_OPEN } from './code-marks.ts';
import { hasHexRun } from './hex.ts';
import { inline } from './inline.ts';

/** Every pattern has bounded parts: an item may be a megabyte of anything. */
const SHORTCODE = /:(?<![\w:]:)[a-z][a-z0-9_+-]{1,30}:(?![\w:])/g;
const LEADING_HASH = /^\W{0,2}(?=[0-9a-f]{0,39}\d)[0-9a-f]{7,40}\W{0,2}:\s/;
const HASH = /\b[0-9a-f]{7,40}\b/g;
const SHORTEST_HASH = 7;
const CODE_SPAN = /(\uE000[^\uE000\uE001]*\uE001)/;
const CODE_HASH = /^\uE000(?:(?=[a-f]*\d)(?=\d*[a-f])[0-9a-f]{7,40}|#\d{1,7})\uE001$/;
const REFERENCE_ADDRESS =
  /(?:\b(?:in|via|see|closes|fixes|resolves|refs?) )?https?:\/\/[^\s()<>\]]{1,200}\/(?:pull|pulls|issues?|commits?|merge_requests|discussions)\/[\w-]{1,60}[^\s()<>\],;]{0,100}/gi;
const REFERENCE = /[#!]\d{1,7}\b|\bGH-\d{1,7}\b|#[A-Z]{2,10}-\d{1,7}\b/g;
/** The number of a ticket in front of what it is about. */
const LEADING_TICKET = /^\[?[A-Z][A-Z0-9]{1,11}-\d{1,7}\]?(?:\s?[-–—:])?\s+(?=\S)/;
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
const BRACKETED_USERS = new RegExp(String.raw`[([][\s,;]{0,3}${USERS}(?: in| via)? ?[)\]]`, 'gi');
const TRAILING_USERS = new RegExp(String.raw` [-–—] ?${USERS}\.?$`, 'i');
/** At-rules, tags and decorators that are written like users. */
const NO_USER =
  /@(?:media|import|supports|layer|container|font-face|keyframes|apply|use|forward|include|extend|param|returns?|type|typedef|deprecated|public|private|protected|internal|since|throws|see|example|default|override|latest|next|beta|alpha|here|types|property|prop|class|module|link|abstract|readonly|interface|font)\b/i;
const CLOSING_USERS = new RegExp(String.raw` ${USERS}\.?(?=$| [A-Z][a-z]+ )`, 'i');
const LEADING_USER = new RegExp(`^${USER} (?=[a-z]{3})`, 'i');
const NEEDS_MORE = /\b(?:the|an?|of|for|to|with|and|or|use|using|support|add|added|new|via|in|from|like|as)$/i;
/** "[Jane Doe][]" at the end of an entry is its author. */
const CLOSING_LINK = /(?<=\w[)\]`"'.]?) {1,2}\[(?!`|#)[^\][]{2,40}\]\[[^\][]{0,40}\]\s{0,3}$/;
const CLOSING_NAME = / \((?:by [^()]{2,40}|\uE000[A-Z][\w.'-]{1,20}(?: [A-Z][\w.'-]{1,20}){1,2}\uE001)\)\.?$/i;
/** What stays of "fixes #12" and "(view)" when the number and the link are gone. */
const LEFT_WORD =
  /(?:[,;([\s-]{1,4}(?:fix(?:es)?|close[sd]?|resolve[sd]?|refs?|see)|(?: [-–—])? (?:and|or|&)| \((?:view|commit|diff|details|link|pr|issue)\))$/i;
const EMPTY_BRACKETS =
  /[([](?<=(?:^|[\s,;([])[([])(?:(?:by|in|via|see|closes?|fix(?:es)?|resolves?|refs?|and|thanks|to|issues?|pulls?|pr|cc)\b|[\s,;:&|/+]){0,12}[)\]]/gi;

/** Markdown of one entry without references, hashes, credits and emoji; code spans still marked. */
export function tidyInline(raw: string): string {
  const unlinked = withoutLinkedNumbers(raw);
  const text = inline(unlinked);
  let clean = text;
  if (clean.includes(':')) clean = clean.replace(SHORTCODE, '');
  if (/\d/.test(clean)) clean = withoutNumbers(clean);
  if (clean.includes('@')) clean = withoutUsers(clean);
  if (clean.endsWith(')')) clean = clean.replace(CLOSING_NAME, '').replace(LEFT_WORD, '');
  if (clean === text && unlinked === raw && !/[([ ][)\]]/.test(text)) return trimEdges(text);
  return trimEdges(
    clean
      .replace(/(?:\s?,){2,}/g, ',')
      .replace(/,\s?(?=[:;])/g, '')
      .replace(/\( ?for #\d{1,7}\)/g, '')
      .replace(EMPTY_BRACKETS, '')
      .replace(EMPTY_BRACKETS, '')
      .replace(/ (?:in|by|via) ?(?=[)\]])/g, '')
      .replace(/ {2,}/g, ' ')
      .replace(/ ([,.;:!?])(?=\s|$)/g, '$1')
      .replace(/(?<!\.)\.\.$/, '.')
      .replace(text.length > clean.length || unlinked !== raw ? LEFT_WORD : /(?!)/, ''),
  );
}

/** Links whose text is nothing but a number or a range of commits, authors as links or addresses. */
const LINKED_NUMBER = /\[(?:\d{2,7}|[0-9a-f]{6,40}\.{2,3}[0-9a-f]{6,40})\]\([^)\s]{1,300}\)/g;
const AUTHOR_ADDRESS = / \([^(]{0,60}<{1,2}[^<>\s]{3,80}@[^<>\s]{3,80}>{1,2}\)/g;

function withoutLinkedNumbers(raw: string): string {
  const plain = raw.includes('](') ? raw.replace(LINKED_NUMBER, '') : raw;
  const nameless = plain.includes('@') && plain.includes('<') ? plain.replace(AUTHOR_ADDRESS, '') : plain;
  return nameless.includes('][') ? nameless.replace(CLOSING_LINK, '') : nameless;
}

function withoutUsers(text: string): string {
  const clean = text
    .replace(CREDIT, '')
    .replace(BRACKETED_USERS, '')
    .replace(TRAILING_USERS, '')
    .replace(LEADING_USER, '');
  const closing = CLOSING_USERS.exec(clean);
  if (!closing || NO_USER.test(closing[0]) || NEEDS_MORE.test(clean.slice(0, closing.index))) return clean;
  return clean.slice(0, closing.index) + clean.slice(closing.index + closing[0].length);
}

/** Drops hashes and references; what stands in code is a name, unless it is nothing but a hash. */
function withoutNumbers(text: string): string {
  const numbered = /^\[?[A-Z]/.test(text) ? text.replace(LEADING_TICKET, '') : text;
  const rest = hasHexRun(numbered, SHORTEST_HASH) ? numbered.replace(LEADING_HASH, '') : numbered;
  if (!rest.includes(CODE_OPEN)) return plainWithoutNumbers(rest);
  return rest
    .split(CODE_SPAN)
    .map((part) => (part.startsWith(CODE_OPEN) ? (CODE_HASH.test(part) ? '' : part) : plainWithoutNumbers(part)))
    .join('');
}

function plainWithoutNumbers(text: string): string {
  const clean = text.includes('://') ? text.replace(REFERENCE_ADDRESS, '') : text;
  const hashless = hasHexRun(clean, SHORTEST_HASH) ? clean.replace(HASH, unlessHash) : clean;
  return /[#!-]\d|#[A-Z]/.test(hashless) ? withoutReferences(hashless) : hashless;
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
    // "Better fix for #12" says nothing without its number.
    if (!isNumber || /\b(?:for|of|about) $/i.test(text.slice(Math.max(0, start - 7), start))) continue;
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
