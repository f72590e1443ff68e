// The face of local import: everything at a path, one package after the other.
import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { describeSource, type Given, type LocalPackage, repositoryShares } from './describe.ts';
import { importPackage, type PackageCounts } from './import-package.ts';
import { readChangelog } from './read-changelog.ts';

export interface ImportOptions {
  given?: Given;
  onProgress?: (done: number) => void;
  // Ends the import after the package at hand.
  signal?: AbortSignal;
}

export interface ImportLine extends PackageCounts {
  name: string;
  // Why nothing was taken from the package; null when something was.
  skipped: string | null;
}

export async function importPackages(
  ctx: Context,
  packages: readonly LocalPackage[],
  { given = {}, onProgress, signal }: ImportOptions = {},
): Promise<ImportLine[]> {
  const shares = repositoryShares(packages.filter(({ path }) => path !== null));
  const lines: ImportLine[] = [];
  for (const one of packages) {
    if (signal?.aborted) break;
    const isShared = (shares.get(one.metadata?.repository?.coordinate ?? '') ?? 0) > 1;
    lines.push({ name: one.label, ...(await importOne(ctx, one, isShared, given)) });
    onProgress?.(lines.length);
  }
  return lines;
}

async function importOne(
  ctx: Context,
  one: LocalPackage,
  isShared: boolean,
  given: Given,
): Promise<Omit<ImportLine, 'name'>> {
  const read = await readChangelog(one.path);
  if (read.kind === 'skipped') return skipped(read.reason);
  if (one.isBroken) return skipped('unreadable');
  const described = describeSource(one, given);
  if (described === null) return skipped('no name: give --org and --name');
  try {
    const counts = await importPackage(ctx, { described, file: read.file, isShared, given });
    return counts ? { ...counts, skipped: null } : skipped('no version heading');
  } catch (error) {
    // A name or an address that the registry does not take is the matter of this package alone.
    if (error instanceof ApiError) return skipped(error.message);
    throw error;
  }
}

function skipped(reason: string): Omit<ImportLine, 'name'> {
  return { found: 0, inserted: 0, updated: 0, skipped: reason };
}
