// The rows of an entity, by which it is found.
import { cutText } from '../clean-text.ts';
import { foldText, wordsOf } from '../search-text/analysis.ts';
import { joinedName, type NameClass, type NameRow, normalName, sizedName } from './entity-names.ts';

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

const MAX_SUFFIXES = 16;
const MAX_TEXT = 2000;
const MAX_TEXT_WORDS = 60;
const MIN_TEXT_WORD = 3;
const MAX_TEXT_WORD = 60;
const COUNTRY = /^[a-z]{2}$/;
const GENERAL = new Set(['ac', 'co', 'com', 'edu', 'gov', 'net', 'org']);

const CASE_CHANGE = /(?<=\p{Ll})(?=\p{Lu})/gu;

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
