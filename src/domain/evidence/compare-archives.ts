// Two archives with what stands beside them, read and compared by their declarations.
import { compareApi } from './compare.ts';
import type { Compared, PackedPackage } from './comparer.ts';
import { losesValues, withoutNeverLoaded } from './never-loaded.ts';
import type { PackageFiles } from './package-files.ts';
import { isOfScripts, readPackage, readScripts } from './read-package.ts';

export async function compareArchives({ old, next }: Record<'old' | 'next', PackedPackage>): Promise<Compared> {
  const [before, after] = [await readPackage(old.archive), await readPackage(next.archive)];
  const unread = before.files ? after : before;
  if (!before.files || !after.files) {
    return { kind: unread.isLarge ? 'too_large' : 'refused', reason: unread.refused ?? '' };
  }
  const [oldBeside, newBeside] = [await filesBeside(old), await filesBeside(next)];
  const compare = (files: PackageFiles) => compareApi(before.files, files, { old: oldBeside, new: newBeside });
  let evidence = compare(after.files);
  // The first types of a package have nothing to be compared with; the scripts of both versions have.
  if (evidence.types === 'none' && isOfScripts(before.files) && !isOfScripts(after.files)) {
    evidence = compare((await readScripts(next.archive)) ?? after.files);
  }
  const scripts = losesValues(evidence) ? await readScripts(old.archive) : null;
  return { kind: 'compared', evidence: scripts ? withoutNeverLoaded(evidence, scripts) : evidence };
}

async function filesBeside({ dependencies, types }: PackedPackage) {
  return {
    dependencies: (await Promise.all(dependencies.map(readPackage))).flatMap(({ files }) => files ?? []),
    types: types === null ? null : ((await readPackage(types)).files ?? null),
  };
}
