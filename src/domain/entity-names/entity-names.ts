// Names as they are compared: folded words with single blanks between them; what a typed text asks of the stored names, and how
// well one answers.
import { cutText } from '../clean-text.ts';
import { foldText, wordsOf } from '../search-text/analysis.ts';
import { normalizeDomain } from '../slugs.ts';

// The kind of text in a row: the whole `name`, a `word` of it, the name `joined` without blanks, the same behind its length
// (`sized`); the whole `slug`, a `slug_word`; a whole `domain`, a `label` of one; a `place` (address of repository or page);
// a word of the describing `text`.
const NAME_CLASSES = [
  'name',
  'word',
  'joined',
  'sized',
  'slug',
  'slug_word',
  'domain',
  'label',
  'place',
  'text',
] as const;
export type NameClass = (typeof NAME_CLASSES)[number];

export interface NameRow {
  class: NameClass;
  suffix: string;
}

// Longer names are found by their beginning.
const MAX_LENGTH = 100;

export function normalName(text: string): string {
  return cutText(wordsOf(foldText(text)).join(' '), MAX_LENGTH).trimEnd();
}

// The name without blanks, so that `Open AI`, `open-ai` and `OpenAI` are the same.
export function joinedName(normal: string): string {
  return normal.replaceAll(' ', '');
}

// The name behind its first letter and length: names that share both are neighbours in the index, where misspelled names
// are looked for.
export function sizedName(joined: string): string {
  const [first] = joined;
  return first === undefined ? '' : sizedPrefix(first, [...joined].length) + joined;
}

function sizedPrefix(first: string, letters: number): string {
  return `${first} ${letters} `;
}

// What a typed text asks of the rows, and how well a row matches it; 0 is best.

export interface NameQuery {
  normal: string;
  joined: string;
  // The text as a domain; null when it is none.
  domain: string | null;
  // How many typing errors are allowed when nothing matches exactly; 0 for short texts.
  edits: number;
}

export const CATEGORY_TIER = 4;
export const EDITED_TIER = 5;

// Shorter texts would match joined names across word boundaries: `air` in `AI Registry`.
const MIN_JOINED = 4;

export function nameQuery(text: string): NameQuery {
  const normal = normalName(text);
  const joined = joinedName(normal);
  const letters = [...joined].length;
  const edits = letters >= 8 ? 2 : letters >= 4 ? 1 : 0;
  return { normal, joined, domain: normalizeDomain(text), edits };
}

// The ranges of stored text in which matches of tiers 0 to 3 lie; without `prefix` the text must be equal.
export function nameRanges(query: NameQuery): { class: NameClass; text: string; prefix: boolean }[] {
  const { normal, joined, domain } = query;
  const ranges: { class: NameClass; text: string; prefix: boolean }[] = [];
  if (domain !== null) ranges.push({ class: 'domain', text: domain, prefix: false });
  if (normal === '') return ranges;
  for (const name of ['name', 'word', 'slug', 'slug_word', 'label', 'place', 'text'] as const) {
    ranges.push({ class: name, text: normal, prefix: true });
  }
  ranges.push({ class: 'joined', text: joined, prefix: joined.length >= MIN_JOINED });
  return ranges;
}

// How well a row matches; null when it does not.
export function tierOf(row: NameRow, query: NameQuery): number | null {
  const { suffix } = row;
  const { normal, joined, domain } = query;
  if (row.class === 'sized') return null;
  if (row.class === 'domain') return suffix === domain ? 0 : null;
  if (normal === '') return null;
  if (row.class === 'joined') {
    if (suffix === joined) return 0;
    return joined.length >= MIN_JOINED && suffix.startsWith(joined) ? 1 : null;
  }
  if (!suffix.startsWith(normal)) return null;
  switch (row.class) {
    case 'name':
      return suffix === normal ? 0 : 1;
    case 'word':
      return 2;
    case 'slug':
      return suffix === normal ? 0 : 3;
    default:
      return 3;
  }
}

// The prefixes of `sized` rows among which a misspelled name may be.
export function editedPrefixes({ joined, edits }: NameQuery): string[] {
  const letters = [...joined];
  const [first] = letters;
  if (edits === 0 || first === undefined) return [];
  const lengths = Array.from({ length: 2 * edits + 1 }, (_, index) => letters.length - edits + index);
  return lengths.map((length) => sizedPrefix(first, length));
}

// Pieces of the text, of which a misspelled name contains at least one unchanged, because an error spoils at most two.
export function editedPieces({ joined, edits }: NameQuery): string[] {
  const letters = [...joined];
  const count = Math.min(letters.length, 2 * edits + 1);
  return Array.from({ length: count }, (_, index) => {
    const cut = (part: number) => Math.floor((part * letters.length) / count);
    return letters.slice(cut(index), cut(index + 1)).join('');
  });
}

export function isEditedName(joined: string, query: NameQuery): boolean {
  if (query.edits === 0 || joined[0] !== query.joined[0]) return false;
  return isWithinEdits(query.joined, joined, query.edits);
}

const LANGUAGE_ENDING = / js$/;

// Whether the text is the whole name as people say it: `node` is Node.js.
export function isWholeName(name: string, text: string): boolean {
  const [named, typed] = [name, text].map((one) => normalName(one).replace(LANGUAGE_ENDING, ''));
  return named !== '' && named === typed;
}

// Whether one text becomes the other by at most `most` changes: a letter more, less or other, or two that swap.
export function isWithinEdits(a: string, b: string, most: number): boolean {
  const from = [...a];
  const to = [...b];
  if (Math.abs(from.length - to.length) > most) return false;
  const width = to.length + 1;
  // Three rows of the edit-distance table; only cells near the diagonal can stay within the limit.
  let before = new Array<number>(width).fill(FAR);
  let row = Array.from({ length: width }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = new Array<number>(width).fill(FAR);
    if (i <= most) next[0] = i;
    let least = i <= most ? i : FAR;
    const last = Math.min(to.length, i + most);
    for (let j = Math.max(1, i - most); j <= last; j += 1) {
      const same = from[i - 1] === to[j - 1];
      let cost = Math.min(at(row, j) + 1, at(next, j - 1) + 1, at(row, j - 1) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      if (swapped) cost = Math.min(cost, at(before, j - 2) + 1);
      next[j] = cost;
      least = Math.min(least, cost);
    }
    // A swap reaches back two rows, so a single row above the limit does not end the search yet.
    if (least > most + 1) return false;
    before = row;
    row = next;
  }
  return at(row, to.length) <= most;
}

const FAR = 1_000_000;

function at(row: readonly number[], index: number): number {
  return row[index] ?? FAR;
}
