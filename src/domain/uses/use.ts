// What a project does with one changed name of a package, in one word, and where.

// From the worst to the best.
const USE_WORDS = ['used', 'not_met', 'unclear', 'imported_not_used', 'not_used', 'met', 'not_imported'] as const;

export type UseWord = (typeof USE_WORDS)[number];

export interface Place {
  file: string;
  line: number;
}

export interface Use {
  use: UseWord;
  // The first of them, in order.
  places: readonly Place[];
  // How many there are.
  count: number;
  // What the project has, for `met` and `not_met`: `Node 24 in .nvmrc`.
  has?: string;
  // The first place, where only files use it that a program has written.
  generated?: Place;
}

const MAX_PLACES = 5;

// A use with its places, each line once.
export function makeUse(use: UseWord, places: readonly Place[] = []): Use {
  const lines = new Map(places.map((place) => [`${place.file}:${place.line}`, { file: place.file, line: place.line }]));
  const sorted = [...lines.values()].sort(byPlace);
  return { use, places: sorted.slice(0, MAX_PLACES), count: sorted.length };
}

function byPlace(a: Place, b: Place): number {
  return a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1;
}

// The use of a package is that of its worst name; null for none.
export function worstUse(uses: readonly Use[]): Use | null {
  return uses.reduce<Use | null>((worst, one) => (worst === null || rank(one) < rank(worst) ? one : worst), null);
}

function rank({ use }: Use): number {
  return USE_WORDS.indexOf(use);
}
