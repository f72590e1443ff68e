// Packages that are compared by their declarations: npm's.
import type { Comparer } from './comparer.ts';
import { readPackage } from './read-package.ts';

// What is imported below loads the compiler.
export const DECLARATIONS: Comparer = {
  async describe(archive) {
    const { files, refused, isLarge } = await readPackage(archive);
    if (!files) return { refused, isLarge };
    const { needsOf } = await import('./needs.ts');
    return { needs: needsOf(files) };
  },

  async compare(pair) {
    const { compareArchives } = await import('./compare-archives.ts');
    return compareArchives(pair);
  },
};
