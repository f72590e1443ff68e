// What an ecosystem brings along whose published packages are compared, and the table of those that do.
import type { Ecosystem } from '../ecosystems/index.ts';
import type { Needs } from './beside.ts';
import type { ApiEvidence } from './compare.ts';

// An archive with what has to stand beside it, each as it was published.
export interface PackedPackage {
  ecosystem: Ecosystem;
  archive: Uint8Array;
  dependencies: readonly Uint8Array[];
  types: Uint8Array | null;
}

// `isLarge`: it is refused for its size alone.
export type Described =
  | { needs: Needs; refused?: never; isLarge?: never }
  | { refused: string; isLarge: boolean; needs?: never };

// `too_large`: the comparison met its limits. `refused`: an archive cannot be read.
export type Compared =
  | { kind: 'compared'; evidence: ApiEvidence }
  | { kind: 'too_large'; reason: string }
  | { kind: 'refused'; reason: string };

export interface Comparer {
  describe(archive: Uint8Array): Promise<Described>;
  compare(pair: { old: PackedPackage; next: PackedPackage }): Promise<Compared>;
}

// Loaded when they are needed: one of them brings a compiler.
const COMPARERS: Partial<Readonly<Record<Ecosystem, () => Promise<Comparer>>>> = {
  npm: async () => (await import('./declarations-comparer.ts')).DECLARATIONS,
  pypi: async () => (await import('./python/comparer.ts')).PYTHON,
};

export async function comparerOf(ecosystem: Ecosystem): Promise<Comparer> {
  const open = COMPARERS[ecosystem];
  if (!open) throw new Error(`packages of ${ecosystem} are not compared`);
  return open();
}
