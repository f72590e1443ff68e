// Suggests names close to an unknown one. All names are in one text, so that a search for a part of a name is one pass.
import { isWithinEdits } from '../entity-names/entity-names.ts';
import { lastSegment } from './requested-package.ts';

export interface NamedSource {
  slug: string;
  // Slug, name, names of packages.
  names: readonly string[];
  releases: number;
}

export interface NameIndex {
  // Slugs, the closest first.
  closest(name: string, most: number): string[];
}

const MAX_NAME_LENGTH = 100;
const MAX_EDITS = 2;
// Shorter words resemble too many names.
const MIN_PART_LENGTH = 2;
const MIN_EDITED_LENGTH = 3;
// Bounds the hits of a word that occurs in many names.
const MAX_HITS = 2000;

type Tier = 0 | 1 | 2 | 3;
const [EQUAL, PREFIX, PART, EDITED] = [0, 1, 2, 3] as const;

export function createNameIndex(sources: readonly NamedSource[]): NameIndex {
  const owners = new Map<string, NamedSource[]>();
  for (const source of sources) {
    for (const word of wordsOf(source.names)) {
      const known = owners.get(word);
      if (known) known.push(source);
      else owners.set(word, [source]);
    }
  }
  const words = [...owners.keys()].sort();
  const text = `\n${words.join('\n')}\n`;
  const byLetter = Map.groupBy(words, (word) => word.charAt(0));

  return {
    closest(name, most) {
      const requested = squeezed(lastSegment(name));
      const found = new Map<string, { source: NamedSource; tier: Tier }>();
      const note = (word: string, tier: Tier) => {
        for (const source of owners.get(word) ?? []) {
          const known = found.get(source.slug);
          if (!known || tier < known.tier || (tier === known.tier && source.releases > known.source.releases)) {
            found.set(source.slug, { source, tier });
          }
        }
      };
      for (const [word, tier] of matches(text, requested)) note(word, tier);
      if (found.size < most && requested.length >= MIN_EDITED_LENGTH) {
        for (const word of byLetter.get(requested.charAt(0)) ?? []) {
          const near =
            Math.abs(word.length - requested.length) <= MAX_EDITS && isWithinEdits(word, requested, MAX_EDITS);
          if (near) note(word, EDITED);
        }
      }
      const ranked = [...found.values()].sort(
        (a, b) => a.tier - b.tier || b.source.releases - a.source.releases || (a.source.slug < b.source.slug ? -1 : 1),
      );
      return ranked.slice(0, most).map(({ source }) => source.slug);
    },
  };
}

// A single letter counts at the beginning of a name only.
function* matches(text: string, requested: string): Iterable<[string, Tier]> {
  if (requested === '') return;
  const needle = requested.length < MIN_PART_LENGTH ? `\n${requested}` : requested;
  let hits = 0;
  for (let at = text.indexOf(needle); at >= 0 && hits < MAX_HITS; hits += 1) {
    const end = text.indexOf('\n', at + 1);
    const word = text.slice(text.lastIndexOf('\n', end - 1) + 1, end);
    yield [word, word === requested ? EQUAL : word.startsWith(requested) ? PREFIX : PART];
    at = text.indexOf(needle, end);
  }
}

function wordsOf(names: readonly string[]): Set<string> {
  const words = names.flatMap((name) => [squeezed(name), squeezed(lastSegment(name))]);
  return new Set(words.filter((word) => word !== ''));
}

// The name reduced to letters and digits, because people often misremember separators.
function squeezed(name: string): string {
  return name
    .slice(0, MAX_NAME_LENGTH)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '');
}
