// Text as both engines index it: folded, split into words, stemmed. All of it happens here and not in each engine, so that both
// find the same documents.
const NON_ASCII = /[^\x00-\x7f]/;
// Anything beyond ASCII but the marks, arrows and pictures that notes are full of, which folding leaves as they are. A pattern
// that knows pictures takes several times as long, so it is tried where the other finds something.
const UNFOLDED = /[^\x00-\x7f\u00ab\u00b7\u00bb\u00d7\u2010\u2012-\u2016\u2018-\u2023\u2190-\u2199]/;
const UNFOLDED_BUT_PICTURES = new RegExp(UNFOLDED.source.replace(']', '\\u{1f300}-\\u{1faff}]'), 'u');
const ELLIPSIS = '\u2026';
const PRIVATE_USE = /\p{Co}+/gu;
const ACCENTS = /[\u0300-\u036f]+/g;
// Includes the vowel signs of New Tai Lue and two Vedic signs, which FTS5 does not count as letters.
const OTHER_MARKS = /[\p{M}\u19b0-\u19c0\u19c8\u19c9\u1cf2\u1cf3]+/gu;
const ASCII_WORD = /[a-z0-9]+/g;
const WORD = /[\p{L}\p{N}]+/gu;
const BETWEEN_WORDS = /[^\p{L}\p{N}]+/gu;

// Private-use characters mark our own terms in the index, so no text may contain them.
export function stripPrivateUse(text: string): string {
  return NON_ASCII.test(text) ? text.replace(PRIVATE_USE, '') : text;
}

// Lower case, compatibility forms resolved, no accents, no private-use characters.
export function foldText(given: string): string {
  // Long titles and summaries end with one.
  const text = given.includes(ELLIPSIS) ? given.replaceAll(ELLIPSIS, '...') : given;
  if (!UNFOLDED.test(text) || !UNFOLDED_BUT_PICTURES.test(text)) return text.toLowerCase();
  const lower = stripPrivateUse(text).normalize('NFKD').toLowerCase();
  // The text is composed again before other marks are removed, because the voicing mark of a kana is no accent.
  const composed = lower.replace(ACCENTS, '').normalize('NFC');
  return composed.replace(OTHER_MARKS, '').replaceAll('\u03c2', '\u03c3');
}

// Folded text without characters on which the engines disagree: beyond ASCII only letters and digits are left.
export function wordText(folded: string): string {
  return NON_ASCII.test(folded) ? folded.replace(BETWEEN_WORDS, ' ') : folded;
}

// The words of folded text.
export function wordsOf(folded: string): string[] {
  return folded.match(NON_ASCII.test(folded) ? WORD : ASCII_WORD) ?? [];
}

// The Porter stemmer with the same steps as SQLite's FTS5, so that PostgreSQL can index the same stems.
const MIN_BYTES = 3;
const MAX_BYTES = 64;

type SuffixRule = readonly [suffix: string, replacement: string];

const STEP_1B_REPAIRS = rules('at>ate bl>ble iz>ize');
const STEP_2 = rules(
  'ational>ate tional>tion enci>ence anci>ance izer>ize logi>log bli>ble alli>al entli>ent eli>e ousli>ous ' +
    'ization>ize ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive biliti>ble',
);
const STEP_3 = rules('ical>ic ness> icate>ic iciti>ic ful> ative> alize>al');
const STEP_4 = rules(
  'al> ance> ence> er> ic> able> ible> ant> ement> ment> ent> ion> ou> ism> ate> iti> ous> ive> ize>',
);

// The stem of one folded word.
export function stem(word: string): string {
  if (!NON_ASCII.test(word)) return stemBytes(word);
  // FTS5 counts bytes, so words of other scripts are also processed as bytes here.
  return Buffer.from(stemBytes(Buffer.from(word).toString('latin1')), 'latin1').toString();
}

function stemBytes(word: string): string {
  if (word.length < MIN_BYTES || word.length > MAX_BYTES) return word;
  let text = withoutEdOrIng(withoutPlural(word));
  if (text.endsWith('y') && hasVowel(text, text.length - 1)) text = `${text.slice(0, -1)}i`;
  text = replace(text, STEP_2, (length) => measure(text, length) > 0);
  text = replace(text, STEP_3, (length) => measure(text, length) > 0);
  text = replace(text, STEP_4, (length, suffix) => {
    return measure(text, length) > 1 && (suffix !== 'ion' || 'st'.includes(text.charAt(length - 1)));
  });
  return withoutDoubleL(withoutLastE(text));
}

function withoutPlural(text: string): string {
  if (!text.endsWith('s') || text.endsWith('ss')) return text;
  const two = (text.endsWith('sses') && text.length > 4) || (text.endsWith('ies') && text.length > 3);
  return text.slice(0, two ? -2 : -1);
}

function withoutEdOrIng(text: string): string {
  if (text.endsWith('eed') && text.length > 3) return measure(text, text.length - 3) > 0 ? text.slice(0, -1) : text;
  const suffix = text.endsWith('ed') ? 2 : text.endsWith('ing') ? 3 : 0;
  const length = text.length - suffix;
  if (suffix === 0 || length < 1 || !hasVowel(text, length)) return text;
  const bare = text.slice(0, length);
  const repaired = replace(bare, STEP_1B_REPAIRS, () => true);
  if (repaired !== bare) return repaired;
  const last = bare.charAt(length - 1);
  if (last === bare.charAt(length - 2) && !'aeioulsz'.includes(last)) return bare.slice(0, -1);
  return measure(bare, length) === 1 && endsConsonantVowelConsonant(bare, length) ? `${bare}e` : bare;
}

function withoutLastE(text: string): string {
  if (!text.endsWith('e')) return text;
  const length = text.length - 1;
  const count = measure(text, length);
  return count > 1 || (count === 1 && !endsConsonantVowelConsonant(text, length)) ? text.slice(0, -1) : text;
}

function withoutDoubleL(text: string): string {
  return text.endsWith('ll') && measure(text, text.length - 1) > 1 ? text.slice(0, -1) : text;
}

// The first suffix that fits decides, whether or not its condition holds.
function replace(text: string, steps: ReadonlyMap<string, readonly SuffixRule[]>, condition: Condition): string {
  for (const [suffix, replacement] of steps.get(text.charAt(text.length - 2)) ?? []) {
    const length = text.length - suffix.length;
    if (length < 1 || !text.endsWith(suffix)) continue;
    return condition(length, suffix) ? text.slice(0, length) + replacement : text;
  }
  return text;
}

type Condition = (length: number, suffix: string) => boolean;

// How many times a consonant follows a vowel in the first letters; more than two makes no difference.
function measure(text: string, length: number): number {
  let count = 0;
  let consonant = false;
  let seenVowel = false;
  for (let at = 0; at < length && count < 2; at += 1) {
    consonant = !isVowel(text.charCodeAt(at), consonant);
    if (!consonant) seenVowel = true;
    else if (seenVowel) {
      count += 1;
      seenVowel = false;
    }
  }
  return count;
}

function endsConsonantVowelConsonant(text: string, length: number): boolean {
  if ('wxy'.includes(text.charAt(length - 1))) return false;
  let pattern = 0;
  let consonant = false;
  for (let at = 0; at < length; at += 1) {
    consonant = !isVowel(text.charCodeAt(at), consonant);
    pattern = ((pattern << 1) | (consonant ? 1 : 0)) & 7;
  }
  return pattern === 5;
}

function hasVowel(text: string, length: number): boolean {
  for (let at = 0; at < length; at += 1) if (isVowel(text.charCodeAt(at), at > 0)) return true;
  return false;
}

// Whether a letter is a vowel; the caller decides whether y counts as one.
function isVowel(code: number, yCounts: boolean): boolean {
  return code === 97 || code === 101 || code === 105 || code === 111 || code === 117 || (yCounts && code === 121);
}

// The rules of one step by their letter before the last; rules that share it are tried in the given order.
function rules(text: string): ReadonlyMap<string, readonly SuffixRule[]> {
  const parsed = text.split(' ').map((rule): SuffixRule => {
    const [suffix = '', replacement = ''] = rule.split('>');
    return [suffix, replacement];
  });
  return Map.groupBy(parsed, ([suffix]) => suffix.charAt(suffix.length - 2));
}

// How often words occur in a text, by their stems. Candidates are found by the letters that every form of a word begins
// with, so that a long text costs one fast scan and only a few words of it are stemmed.

const WORD_BEYOND_ASCII = /^[\p{L}\p{N}]/u;
// Endings of stems whose last letter the stemmer may have changed: `proxy` becomes `proxi`, `possibility` `possibl`.
const CHANGED_ENDING = /.[eil]$/;

// The letters with which every word of a stem begins.
export function beginningOf(stemmed: string): string {
  return CHANGED_ENDING.test(stemmed) ? stemmed.slice(0, -1) : stemmed;
}

// Counts how often words of these stems stand in a row in folded text.
export function phraseCounter(stems: readonly string[]): (folded: string) => number {
  const [first, ...others] = stems;
  if (first === undefined) return () => 0;
  const beginning = beginningOf(first);
  return (folded) => countPhrase(folded, { beginning, first, others });
}

interface PhraseStems {
  // The letters with which every word of the first stem begins.
  beginning: string;
  first: string;
  others: readonly string[];
}

function countPhrase(folded: string, { beginning, first, others }: PhraseStems): number {
  let count = 0;
  for (let at = folded.indexOf(beginning); at !== -1; at = folded.indexOf(beginning, at + 1)) {
    if (at > 0 && isWordAt(folded, at - 1)) continue;
    let end = wordEnd(folded, at);
    if (stemOf(folded.slice(at, end)) !== first) continue;
    const whole = others.every((wanted) => {
      const start = nextWord(folded, end);
      end = wordEnd(folded, start);
      return stemOf(folded.slice(start, end)) === wanted;
    });
    if (whole) count += 1;
  }
  return count;
}

// How many words of folded text begin with these letters.
export function countBeginning(folded: string, beginning: string): number {
  let count = 0;
  for (let at = folded.indexOf(beginning); at !== -1; at = folded.indexOf(beginning, at + 1)) {
    if (at === 0 || !isWordAt(folded, at - 1)) count += 1;
  }
  return count;
}

function nextWord(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isWordAt(text, at)) at += 1;
  return at;
}

function wordEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && isWordAt(text, at)) at += 1;
  return at;
}

function isWordAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57);
  // The second half of a surrogate pair has the class of the whole character.
  const from = code >= 0xdc00 && code <= 0xdfff && at > 0 ? at - 1 : at;
  return WORD_BEYOND_ASCII.test(text.slice(from, from + 2));
}

const STEMS = new Map<string, string>();
const KNOWN_STEMS = 20_000;
const LONG_WORD = 40;

function stemOf(word: string): string {
  const known = STEMS.get(word);
  if (known !== undefined) return known;
  const found = stem(word);
  if (STEMS.size >= KNOWN_STEMS) STEMS.clear();
  if (word.length <= LONG_WORD) STEMS.set(word, found);
  return found;
}
