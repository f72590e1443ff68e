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

const pool = new TaskPool({ name: 'checker', limitMs: 300_000, maxQueued: 100, stopsAtFaults: true });

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
  // `unread`: packages and files that are nested too deeply for the compiler.
  | { kind: 'compiled'; errors: readonly NewError[]; leftOut: number; unread: readonly string[] }
  | { kind: 'stopped'; reason: string }
  | { kind: 'refused'; reason: string };

interface NamesAnswer {
  names: [string, CheckedName][];
  // Files of installed packages that were read, by their paths in the folder.
  read: string[];
  // Packages and files that are nested too deeply for the compiler.
  leftOut: string[];
}

export async function namesOfProject({ root, files, wanted, beside = [] }: NamesQuestion): Promise<NamesAnswer> {
  const { ProjectHost } = await import('./project-host.ts');
  const { checkNames } = await import('./checked-names.ts');
  const host = new ProjectHost(root, files);
  for (const one of beside) {
    const packed = await unpacked(one);
    if (packed) host.put(packed);
  }
  const names = [...checkNames(host, files, wanted)];
  return { names, read: host.filesRead(), leftOut: host.leftOut() };
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
  const errors = newErrors(before, after, files);
  const unread = [...new Set([...before.leftOut(), ...after.leftOut()])];
  return { kind: 'compiled', errors, leftOut: programFiles(files).leftOut, unread };
}

async function unpacked({ archive, dependencies, types }: PackedPackage) {
  const { files } = await readPackage(archive);
  if (!files) return null;
  const below = await Promise.all([...dependencies, ...(types ? [types] : [])].map((one) => readPackage(one)));
  return { files, dependencies: below.flatMap((one) => one.files ?? []) };
}

const NAMES = threadTask(import.meta.url, namesOfProject);
const PROOF = threadTask(import.meta.url, proofOfProject);

export async function namesOnThread(
  question: NamesQuestion,
  signal?: AbortSignal,
): Promise<NamesAnswer | { stopped: string }> {
  try {
    return await pool.run(NAMES, question, { signal });
  } catch (error) {
    if (error instanceof TaskStopped) return { stopped: error.message };
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
