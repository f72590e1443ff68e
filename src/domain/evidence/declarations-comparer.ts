// Packages that are compared by their declarations: npm's.
import type { Comparer, PackedPackage } from './comparer.ts';
import type { PackageFiles } from './package-files.ts';

export const DECLARATIONS: Comparer = {
  async describe(archive) {
    const { readPackage } = await import('./read-package.ts');
    const { files, refused, isLarge } = await readPackage(archive);
    if (!files) return { refused, isLarge };
    // It loads the compiler.
    const { needsOf } = await import('./needs.ts');
    return { needs: needsOf(files) };
  },

  async compare({ old, next }) {
    const { isOfScripts, readPackage, readScripts } = await import('./read-package.ts');
    const [before, after] = [await readPackage(old.archive), await readPackage(next.archive)];
    const unread = before.files ? after : before;
    if (!before.files || !after.files) {
      return { kind: unread.isLarge ? 'too_large' : 'refused', reason: unread.refused ?? '' };
    }
    const { compareApi } = await import('./compare.ts');
    const { losesValues, withoutNeverLoaded } = await import('./never-loaded.ts');
    const beside = async ({ dependencies, types }: PackedPackage) => ({
      dependencies: (await Promise.all(dependencies.map(readPackage))).flatMap(({ files }) => files ?? []),
      types: types === null ? null : ((await readPackage(types)).files ?? null),
    });
    const [oldBeside, newBeside] = [await beside(old), await beside(next)];
    const compare = (files: PackageFiles) => compareApi(before.files, files, { old: oldBeside, new: newBeside });
    let evidence = compare(after.files);
    // The first types of a package have nothing to be compared with; the scripts of both versions have.
    if (evidence.types === 'none' && isOfScripts(before.files) && !isOfScripts(after.files)) {
      evidence = compare((await readScripts(next.archive)) ?? after.files);
    }
    const scripts = losesValues(evidence) ? await readScripts(old.archive) : null;
    return { kind: 'compared', evidence: scripts ? withoutNeverLoaded(evidence, scripts) : evidence };
  },
};
