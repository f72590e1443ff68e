// Imports everything at a path, one package after the other.
import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { NOTHING_OUTSIDE } from '../../domain/changelog/outside-text.ts';
import type { OutsideText } from '../../domain/changelog/types.ts';
import { TaskStopped } from '../../threads/task.ts';
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
  // Also writes into sources that are fetched from elsewhere, what they lack.
  intoFetched?: boolean;
  onProgress?: (done: number) => void | Promise<void>;
  // Ends the import after the current package or batch.
  signal?: AbortSignal | undefined;
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
    const result = await importOne(ctx, one, { ...options, isShared });
    if (result === null) break;
    lines.push({ name: one.label, ...result });
    await onProgress?.(lines.length);
  }
  return lines;
}

interface OneImport extends LocalImportOptions {
  isShared: boolean;
}

// Null when the import was interrupted within the package.
async function importOne(ctx: Context, one: LocalPackage, options: OneImport): Promise<Result | null> {
  const { signal } = options;
  if (one.isBroken) return skipped(one.path === null ? 'no file' : 'unreadable');
  try {
    const read = await readChangelog(one.path, { root: one.root, signal });
    const described = describeSource(one, options.given ?? {});
    if (described === null) return skipped('no name: give --org and --name');
    return await importDescribed(ctx, described, read, options);
  } catch (error) {
    if (signal?.aborted && error === signal.reason) return null;
    // An invalid name or address, or a text that takes too long, skips this package alone.
    if (error instanceof ApiError) return skipped(error.message);
    if (error instanceof TaskStopped) return skipped(`too hard to read: ${error.message}`);
    throw error;
  }
}

const KEPT = 'fetched from its own address; --into-fetched adds what it lacks';

async function importDescribed(
  ctx: Context,
  described: SourceDescription,
  read: LocalRead,
  { given = {}, isShared, onlyFiles = false, track = false, intoFetched = false, signal }: OneImport,
): Promise<Result> {
  const requested = { described, isShared, given, track, intoFetched };
  const reason: FileSkipReason = read.kind === 'skipped' ? read.reason : 'no version heading';
  const imported = read.kind === 'file' ? await importPackage(ctx, { ...requested, file: read.file, signal }) : null;
  const outside = imported?.outside ?? NOTHING_OUTSIDE;
  if (imported?.isKept) return { ...skipped(KEPT), outside, source: 'known' };
  if (imported?.counts) {
    return { ...imported.counts, outside, skipped: null, source: imported.isNew ? 'added' : 'known' };
  }
  // Without a release only the repository is known; a page alone gives no versions.
  if (onlyFiles || described.type !== 'github') return { ...skipped(reason), outside };
  const { isNew, isKept, mapped } = await importSource(ctx, { ...requested, outside });
  const isUnmapped = isKept && described.npm !== null && mapped === null;
  return { ...skipped(isUnmapped ? KEPT : reason), outside, source: isNew ? 'added' : 'known' };
}

export function skipped(reason: string): Result {
  return { found: 0, joined: 0, inserted: 0, updated: 0, outside: NOTHING_OUTSIDE, skipped: reason, source: null };
}
