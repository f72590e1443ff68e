// The compiler on a thread of its own: which names a project means, and what fails with a new package. It is stopped with its
// thread when it takes too long, needs too much memory, or is no longer wanted.
import { readPackage } from '../../domain/evidence/read-package.ts';
import type { SourceFile } from '../../domain/uses/project.ts';
import type { CheckedName } from '../../domain/uses/use-of.ts';
import type { PackedPackage } from '../../threads/evidence.ts';
import { TaskPool } from '../../threads/pool.ts';
import { TaskStopped, threadTask } from '../../threads/task.ts';
import type { NewError } from './new-errors.ts';
import type { WantedNames } from './wanted-names.ts';

const pool = new TaskPool({ name: 'checker', limitMs: 300_000, maxQueued: 100 });

interface NamesQuestion {
  root: string;
  files: readonly SourceFile[];
  wanted: readonly WantedNames[];
  // Packages that are not installed in the folder.
  beside?: readonly PackedPackage[];
}

interface ProofQuestion {
  root: string;
  files: readonly SourceFile[];
  // Null: as it is installed.
  old: PackedPackage | null;
  next: PackedPackage;
  // Archives that both need and that are not installed in the folder.
  beside?: readonly Uint8Array[];
}

export type Proof =
  // Files beyond the limit of programs are left out.
  | { kind: 'compiled'; errors: readonly NewError[]; leftOut: number }
  | { kind: 'stopped'; reason: string }
  | { kind: 'refused'; reason: string };

interface NamesAnswer {
  names: [string, CheckedName][];
  // Files of installed packages that were read, by their paths in the folder.
  read: string[];
}

export async function namesOfProject({ root, files, wanted, beside = [] }: NamesQuestion): Promise<NamesAnswer> {
  const { ProjectHost } = await import('./project-host.ts');
  const { checkNames } = await import('./checked-names.ts');
  const host = new ProjectHost(root, files);
  for (const one of beside) {
    const packed = await unpacked(one);
    if (packed) host.put(packed);
  }
  return { names: [...checkNames(host, files, wanted)], read: host.filesRead() };
}

export async function proofOfProject({ root, files, old, next, beside = [] }: ProofQuestion): Promise<Proof> {
  const { ProjectHost } = await import('./project-host.ts');
  const { newErrors } = await import('./new-errors.ts');
  const { programFiles } = await import('./programs.ts');
  const [before, after] = [new ProjectHost(root, files), new ProjectHost(root, files)];
  for (const archive of beside) {
    const { files: read } = await readPackage(archive);
    for (const host of read ? [before, after] : []) if (read) host.addBeside(read);
  }
  const [oldPackage, newPackage] = [old && (await unpacked(old)), await unpacked(next)];
  if (!newPackage || (old && !oldPackage)) return { kind: 'refused', reason: 'an archive cannot be read' };
  if (oldPackage) before.put(oldPackage);
  after.put(newPackage);
  return { kind: 'compiled', errors: newErrors(before, after, files), leftOut: programFiles(files).leftOut };
}

async function unpacked({ archive, dependencies, types }: PackedPackage) {
  const { files } = await readPackage(archive);
  if (!files) return null;
  const below = await Promise.all([...dependencies, ...(types ? [types] : [])].map((one) => readPackage(one)));
  return { files, dependencies: below.flatMap((one) => one.files ?? []) };
}

const NAMES = threadTask(import.meta.url, namesOfProject);
const PROOF = threadTask(import.meta.url, proofOfProject);

// Null when the project is too large for it.
export async function namesOnThread(question: NamesQuestion, signal?: AbortSignal): Promise<NamesAnswer | null> {
  try {
    return await pool.run(NAMES, question, { signal });
  } catch (error) {
    if (error instanceof TaskStopped) return null;
    throw error;
  }
}

export async function proofOnThread(question: ProofQuestion, signal?: AbortSignal): Promise<Proof> {
  try {
    return await pool.run(PROOF, question, { signal });
  } catch (error) {
    if (error instanceof TaskStopped) return { kind: 'stopped', reason: error.message };
    throw error;
  }
}
