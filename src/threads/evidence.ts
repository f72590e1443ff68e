// Published packages are read and compared on a thread of their own, which alone loads the compiler. What takes more than 20
// seconds of processor time or a gigabyte, or overflows the compiler, is stopped with its thread.
import type { Ecosystem } from '../domain/ecosystems/index.ts';
import type { Compared, Described, PackedPackage } from '../domain/evidence/comparer.ts';
import type { BesidePackage } from '../domain/evidence/gather-beside.ts';
import { TaskPool } from './pool.ts';
import { TaskStopped, threadTask } from './task.ts';

const pool = new TaskPool({ name: 'evidence', limitMs: 20_000, maxQueued: 100, stopsAtFaults: true });

export type { PackedPackage };

export function packedBeside(
  ecosystem: Ecosystem,
  archive: Uint8Array,
  { dependencies, types }: { dependencies: readonly BesidePackage[]; types: BesidePackage | null },
): PackedPackage {
  return { ecosystem, archive, dependencies: dependencies.map((one) => one.archive), types: types?.archive ?? null };
}

interface PublishedArchive {
  ecosystem: Ecosystem;
  archive: Uint8Array;
}

export async function describePackage({ ecosystem, archive }: PublishedArchive): Promise<Described> {
  const { comparerOf } = await import('../domain/evidence/comparer.ts');
  return (await comparerOf(ecosystem)).describe(archive);
}

export async function comparePackages(pair: { old: PackedPackage; next: PackedPackage }): Promise<Compared> {
  const { comparerOf } = await import('../domain/evidence/comparer.ts');
  return (await comparerOf(pair.next.ecosystem)).compare(pair);
}

const DESCRIPTION = threadTask(import.meta.url, describePackage);
const COMPARISON = threadTask(import.meta.url, comparePackages);

export async function describeOnThread(published: PublishedArchive, signal?: AbortSignal): Promise<Described> {
  try {
    return await pool.run(DESCRIPTION, published, { signal });
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
