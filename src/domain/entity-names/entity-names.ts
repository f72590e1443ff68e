// By which names an entity is found, and how well.
import { cutText } from '../clean-text.ts';
import { normalizeDomain } from '../hosts.ts';
import { foldText, wordsOf } from '../search-text/fold.ts';
import { isWithinEdits } from './edit-distance.ts';

// Names as they are compared: folded words with single blanks between them.

// Longer names are found by their beginning.
const MAX_LENGTH = 100;
const MAX_SUFFIXES = 16;

const CASE_CHANGE = /(?<=\p{Ll})(?=\p{Lu})/gu;

export function normalName(text: string): string {
  return cutText(wordsOf(foldText(text)).join(' '), MAX_LENGTH).trimEnd();
}

// The name without blanks, so that `Open AI`, `open-ai` and `OpenAI` are the same.
function joinedName(normal: string): string {
  return normal.replaceAll(' ', '');
}

// The name behind its first letter and length: names that share both are neighbours in the index, where misspelled names
// are looked for.
function sizedName(joined: string): string {
  const [first] = joined;
  return first === undefined ? '' : sizedPrefix(first, [...joined].length) + joined;
}

function sizedPrefix(first: string, letters: number): string {
  return `${first} ${letters} `;
}

// The name from each word start and each change from lower to upper case: `OpenAI` → `openai`, `ai`.
export function nameSuffixes(text: string): string[] {
  const normal = normalName(text);
  const starts = startsIn(normalName(text.replace(CASE_CHANGE, ' ')));
  const suffixes: string[] = [];
  let letters = 0;
  for (let at = 0; at < normal.length && suffixes.length < MAX_SUFFIXES; at += 1) {
    if (normal[at] === ' ') continue;
    if (at === 0 || normal[at - 1] === ' ' || starts.has(letters)) suffixes.push(normal.slice(at));
    letters += 1;
  }
  return suffixes;
}

// Where words begin, counted in letters without blanks, because splitting at case changes adds blanks.
function startsIn(parted: string): Set<number> {
  const starts = new Set<number>();
  let letters = 0;
  for (const word of parted.split(' ')) {
    starts.add(letters);
    letters += word.length;
  }
  return starts;
}

// The rows of an entity, by which it is found.

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

export interface NamedEntity {
  name: string;
  slug: string;
  domains?: readonly string[];
  // Repository of a source, `owner/repo`.
  repository?: string | null;
  // Address of a source that is read as a page or feed.
  url?: string | null;
  description?: string | null;
}

interface NameRow {
  class: NameClass;
  suffix: string;
}

const MAX_TEXT = 2000;
const MAX_TEXT_WORDS = 60;
const MIN_TEXT_WORD = 3;
const MAX_TEXT_WORD = 60;
const COUNTRY = /^[a-z]{2}$/;
const GENERAL = new Set(['ac', 'co', 'com', 'edu', 'gov', 'net', 'org']);

// The rows of an entity without duplicates.
export function nameRows(entity: NamedEntity): NameRow[] {
  const rows = new Map<string, NameRow>();
  const add = (name: NameClass, suffix: string) => {
    if (suffix !== '') rows.set(`${name} ${suffix}`, { class: name, suffix });
  };
  const [name, ...words] = nameSuffixes(entity.name);
  add('name', name ?? '');
  add('joined', joinedName(name ?? ''));
  add('sized', sizedName(joinedName(name ?? '')));
  for (const word of words) add('word', word);

  const [slug, ...slugWords] = nameSuffixes(entity.slug);
  add('slug', slug ?? '');
  for (const word of slugWords) add('slug_word', word);

  for (const domain of entity.domains ?? []) {
    add('domain', domain);
    for (const label of domainLabels(domain)) add('label', normalName(label));
  }
  for (const address of addressesOf(entity)) add('place', normalName(address));
  for (const word of textWords(entity.description)) add('text', word);
  return [...rows.values()];
}

// The labels of a domain that are names: neither the top-level domain nor a second level such as `co` under a country.
function domainLabels(domain: string): string[] {
  const labels = domain.split('.');
  const top = labels.pop() ?? '';
  if (labels.length > 1 && COUNTRY.test(top) && GENERAL.has(labels.at(-1) ?? '')) labels.pop();
  return labels;
}

function addressesOf({ repository, url }: NamedEntity): string[] {
  if (repository) return [repository, repository.slice(repository.indexOf('/') + 1)];
  const path = url ? URL.parse(url)?.pathname : undefined;
  return path?.split('/').filter(Boolean) ?? [];
}

function textWords(text: string | null | undefined): string[] {
  if (!text) return [];
  const words = wordsOf(foldText(cutText(text, MAX_TEXT))).filter((word) => word.length >= MIN_TEXT_WORD);
  return [...new Set(words)].slice(0, MAX_TEXT_WORDS).map((word) => cutText(word, MAX_TEXT_WORD));
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
