// Published packages are read and compared on a thread of their own, which alone loads the compiler. What takes more than 20
// seconds of processor time or a gigabyte, or overflows the compiler, is stopped with its thread.
import type { Needs } from '../domain/evidence/beside.ts';
import type { ApiEvidence } from '../domain/evidence/compare.ts';
import type { BesidePackage } from '../domain/evidence/gather-beside.ts';
import type { PackageFiles } from '../domain/evidence/package-files.ts';
import { TaskPool } from './pool.ts';
import { TaskStopped, threadTask } from './task.ts';

const pool = new TaskPool({ name: 'evidence', limitMs: 20_000, maxQueued: 100, stopsAtFaults: true });

// An archive with what has to stand beside it, each as it was published.
export interface PackedPackage {
  archive: Uint8Array;
  dependencies: readonly Uint8Array[];
  types: Uint8Array | null;
}

export function packedBeside(
  archive: Uint8Array,
  { dependencies, types }: { dependencies: readonly BesidePackage[]; types: BesidePackage | null },
): PackedPackage {
  return { archive, dependencies: dependencies.map((one) => one.archive), types: types?.archive ?? null };
}

// `isLarge`: it is refused for its size alone.
type Described =
  | { needs: Needs; refused?: never; isLarge?: never }
  | { refused: string; isLarge: boolean; needs?: never };

// `too_large`: the comparison met its limits. `refused`: an archive cannot be read.
type Compared =
  | { kind: 'compared'; evidence: ApiEvidence }
  | { kind: 'too_large'; reason: string }
  | { kind: 'refused'; reason: string };

export async function describePackage(archive: Uint8Array): Promise<Described> {
  const { readPackage } = await import('../domain/evidence/read-package.ts');
  const { files, refused, isLarge } = await readPackage(archive);
  if (!files) return { refused, isLarge };
  // It loads the compiler.
  const { needsOf } = await import('../domain/evidence/needs.ts');
  return { needs: needsOf(files) };
}

export async function comparePackages({ old, next }: { old: PackedPackage; next: PackedPackage }): Promise<Compared> {
  const { isOfScripts, readPackage, readScripts } = await import('../domain/evidence/read-package.ts');
  const [before, after] = [await readPackage(old.archive), await readPackage(next.archive)];
  const unread = before.files ? after : before;
  if (!before.files || !after.files) {
    return { kind: unread.isLarge ? 'too_large' : 'refused', reason: unread.refused ?? '' };
  }
  const { compareApi } = await import('../domain/evidence/compare.ts');
  const { losesValues, withoutNeverLoaded } = await import('../domain/evidence/never-loaded.ts');
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
}

const DESCRIPTION = threadTask(import.meta.url, describePackage);
const COMPARISON = threadTask(import.meta.url, comparePackages);

export async function describeOnThread(archive: Uint8Array, signal?: AbortSignal): Promise<Described> {
  try {
    return await pool.run(DESCRIPTION, archive, { signal });
  } catch (error) {
    if (error instanceof TaskStopped) return { refused: error.message, isLarge: true };
    throw error;
  }
}

export async function compareOnThread(
  pair: { old: PackedPackage; next: PackedPackage },
  { signal, limitMs }: { signal?: AbortSignal; limitMs?: number } = {},
): Promise<Compared> {
  try {
    return await pool.run(COMPARISON, pair, { signal, ...(limitMs === undefined ? {} : { limitMs }) });
  } catch (error) {
    if (error instanceof TaskStopped) return { kind: 'too_large', reason: error.message };
    throw error;
  }
}
