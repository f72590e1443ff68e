// Imports everything at a path, one package after the other.
import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { NOTHING_OUTSIDE } from '../../domain/changelog/outside-text.ts';
import type { OutsideText } from '../../domain/changelog/types.ts';
import {
  describeSource,
  type ImportHints,
  type LocalPackage,
  repositoryShares,
  type SourceDescription,
} from './describe.ts';
import { importPackage, type PackageCounts } from './import-package.ts';
import { importSource } from './import-source.ts';
import { type FileSkipReason, type LocalRead, readChangelog } from './read-changelog.ts';

export interface LocalImportOptions {
  given?: ImportHints;
  // Leaves out packages without a changelog file, even if their repository is known.
  onlyFiles?: boolean;
  // Polls the sources from now on, instead of leaving them paused.
  track?: boolean;
  onProgress?: (done: number) => void;
  // Ends the import after the current package.
  signal?: AbortSignal;
}

export interface ImportLine extends PackageCounts {
  name: string;
  // Why no release was taken from the package; null when some were.
  skipped: string | null;
  // Characters of its file that stand in no release.
  outside: OutsideText;
  // What became of its source; null when it has none.
  source: 'added' | 'known' | null;
}

type Result = Omit<ImportLine, 'name'>;

export async function importPackages(
  ctx: Context,
  packages: readonly LocalPackage[],
  options: LocalImportOptions = {},
): Promise<ImportLine[]> {
  const { onlyFiles = false, onProgress, signal } = options;
  const shares = repositoryShares(onlyFiles ? packages.filter(({ path }) => path !== null) : packages);
  const lines: ImportLine[] = [];
  for (const one of packages) {
    if (signal?.aborted) break;
    const isShared = (shares.get(one.metadata?.repository?.coordinate ?? '') ?? 0) > 1;
    lines.push({ name: one.label, ...(await importOne(ctx, one, { ...options, isShared })) });
    onProgress?.(lines.length);
  }
  return lines;
}

interface OneImport extends LocalImportOptions {
  isShared: boolean;
}

async function importOne(ctx: Context, one: LocalPackage, options: OneImport): Promise<Result> {
  if (one.isBroken) return skipped(one.path === null ? 'no file' : 'unreadable');
  const read = await readChangelog(one.path);
  const described = describeSource(one, options.given ?? {});
  if (described === null) return skipped('no name: give --org and --name');
  try {
    return await importDescribed(ctx, described, read, options);
  } catch (error) {
    // An invalid name or address skips this package alone.
    if (error instanceof ApiError) return skipped(error.message);
    throw error;
  }
}

async function importDescribed(
  ctx: Context,
  described: SourceDescription,
  read: LocalRead,
  { given = {}, isShared, onlyFiles = false, track = false }: OneImport,
): Promise<Result> {
  const requested = { described, isShared, given, track };
  const reason: FileSkipReason = read.kind === 'skipped' ? read.reason : 'no version heading';
  const imported = read.kind === 'file' ? await importPackage(ctx, { ...requested, file: read.file }) : null;
  const outside = imported?.outside ?? NOTHING_OUTSIDE;
  if (imported?.counts) {
    return { ...imported.counts, outside, skipped: null, source: imported.isNew ? 'added' : 'known' };
  }
  // Without a release only the repository is known; a page alone gives no versions.
  if (onlyFiles || described.type !== 'github') return { ...skipped(reason), outside };
  const { isNew } = await importSource(ctx, { ...requested, outside });
  return { ...skipped(reason), outside, source: isNew ? 'added' : 'known' };
}

function skipped(reason: string): Result {
  return { found: 0, joined: 0, inserted: 0, updated: 0, outside: NOTHING_OUTSIDE, skipped: reason, source: null };
}
