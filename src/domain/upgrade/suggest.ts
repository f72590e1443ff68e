// Suggests sources and packages whose names are close to an unknown one. All names are in one text, so that a search for a part of a name is one pass.
import { editDistance } from '../edit-distance.ts';
import { isWithinEdits } from '../entity-names/entity-names.ts';
import type { Ecosystem } from '../published-package.ts';
import { lastSegment, type PackageName } from './requested-package.ts';

export interface NamedSource {
  id: string;
  slug: string;
  name: string;
  packages: readonly PackageName[];
  releases: number;
}

export interface CloseSource {
  id: string;
  slug: string;
  // The package of the source whose name is the closest; null when none is close.
  package: PackageName | null;
  // The slug and the name of the source are as close.
  isNamedAlike: boolean;
}

export interface NameIndex {
  // The closest first. Of two packages of a source the one of the ecosystem counts.
  closest(name: string, options: { most: number; ecosystem?: Ecosystem | undefined }): CloseSource[];
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

interface Owner {
  source: NamedSource;
  // Null for the slug and the name of the source.
  package: PackageName | null;
}

interface Nearness {
  tier: Tier;
  // Letters that differ.
  distance: number;
}

interface Close extends Nearness {
  source: NamedSource;
  // The nearness of its slug and name.
  own: Nearness | null;
  named: (Nearness & { package: PackageName; isElsewhere: boolean }) | null;
}

export function createNameIndex(sources: readonly NamedSource[]): NameIndex {
  const owners = new Map<string, Owner[]>();
  for (const source of sources) {
    for (const [word, owner] of ownedWords(source)) {
      const known = owners.get(word);
      if (known) known.push(owner);
      else owners.set(word, [owner]);
    }
  }
  const words = [...owners.keys()].sort();
  const text = `\n${words.join('\n')}\n`;
  const byLetter = Map.groupBy(words, (word) => word.charAt(0));

  return {
    closest(name, { most, ecosystem }) {
      const requested = squeezed(lastSegment(name));
      const found = new Map<string, Close>();
      const note = (word: string, near: Nearness) => {
        for (const { source, package: named } of owners.get(word) ?? []) {
          const close = found.get(source.id) ?? { ...near, source, own: null, named: null };
          if (isNearer(near, close)) Object.assign(close, near);
          found.set(source.id, close);
          if (named === null) {
            if (close.own === null || isNearer(near, close.own)) close.own = near;
            continue;
          }
          const isElsewhere = ecosystem !== undefined && named.ecosystem !== ecosystem;
          const known = close.named;
          const isBetter =
            known && known.isElsewhere !== isElsewhere ? known.isElsewhere : !known || isNearer(near, known);
          if (isBetter) close.named = { ...near, package: named, isElsewhere };
        }
      };
      for (const [word, tier] of matches(text, requested)) {
        note(word, { tier, distance: word.length - requested.length });
      }
      if (found.size < most && requested.length >= MIN_EDITED_LENGTH) {
        for (const word of byLetter.get(requested.charAt(0)) ?? []) {
          const near =
            Math.abs(word.length - requested.length) <= MAX_EDITS && isWithinEdits(word, requested, MAX_EDITS);
          if (near) note(word, { tier: EDITED, distance: editDistance(word, requested) });
        }
      }
      const ranked = [...found.values()].sort(
        (a, b) =>
          a.tier - b.tier ||
          a.distance - b.distance ||
          b.source.releases - a.source.releases ||
          (a.source.slug < b.source.slug ? -1 : 1),
      );
      return ranked.slice(0, most).map(({ source: { id, slug }, own, named }) => {
        const isNamedAlike = own !== null && named !== null && !isNearer(named, own);
        return { id, slug, package: named?.package ?? null, isNamedAlike };
      });
    },
  };
}

function isNearer(one: Nearness, other: Nearness): boolean {
  return one.tier < other.tier || (one.tier === other.tier && one.distance < other.distance);
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

function* ownedWords(source: NamedSource): Iterable<[string, Owner]> {
  for (const word of wordsOf([source.slug, source.name])) yield [word, { source, package: null }];
  for (const named of source.packages) {
    for (const word of wordsOf([named.name])) yield [word, { source, package: named }];
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
