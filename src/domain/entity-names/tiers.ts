// Ranks how well a name matches a typed text; 0 is best.
import { normalizeDomain } from '../hosts.ts';
import { isWithinEdits } from './edit-distance.ts';
import type { NameClass, NameRow } from './name-rows.ts';
import { joinedName, normalName, sizedPrefix } from './normal-name.ts';

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
