// Packages that a lockfile names and that are not installed: their registry says where they come from. Nothing is read of
// them here; the worker reads the sources that are made.

import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { NOTHING_OUTSIDE } from '../../domain/changelog/outside-text.ts';
import { IMPORTED_ECOSYSTEM } from '../../domain/ecosystems/index.ts';
import { isPackagePage, PACKAGE_PARSER } from '../../domain/package-page.ts';
import { normalizePackageName, scopeOf } from '../../domain/published-package.ts';
import { packageViewer } from '../../entities/packages/viewer.ts';
import { isUnlisted } from '../../entities/resolve.ts';
import { updateSource } from '../../entities/sources/update.ts';
import { createPackageSource, mappedSource } from '../lookups/create-source.ts';
import { describePackage } from '../lookups/describe.ts';
import { describeSource, type LocalPackage } from './describe.ts';
import { type ImportLine, skipped } from './import-all.ts';
import { importSource } from './import-source.ts';
import { readRepository } from './package-metadata.ts';

interface MissingOptions {
  signal?: AbortSignal;
  onProgress?: (done: number) => void;
}

export async function trackMissing(
  ctx: Context,
  names: readonly string[],
  { signal, onProgress }: MissingOptions = {},
): Promise<ImportLine[]> {
  const lines: ImportLine[] = [];
  const viewer = await packageViewer(ctx);
  for (const name of names) {
    if (signal?.aborted) break;
    const isPrivate = viewer.private.has(scopeOf({ ecosystem: IMPORTED_ECOSYSTEM, name }) ?? '');
    const line = await trackOne(ctx, name, isPrivate).catch((error: unknown) => {
      // A name that is no name skips this package alone.
      if (error instanceof ApiError) return skipped(error.message);
      throw error;
    });
    lines.push({ name, ...line });
    onProgress?.(lines.length);
  }
  return lines;
}

async function trackOne(ctx: Context, spelling: string, isPrivate: boolean): Promise<Omit<ImportLine, 'name'>> {
  const asked = { ecosystem: IMPORTED_ECOSYSTEM, name: normalizePackageName(IMPORTED_ECOSYSTEM, spelling), spelling };
  const described = await describePackage(ctx, asked);
  if (described.verdict === 'refused') return skipped('not installed, and not in its registry');
  if (described.verdict === 'unreachable') return skipped(`not installed, and its registry fails: ${described.reason}`);
  const repository = described.repository === null ? null : readRepository(described.repository);
  // What a private registry lists must not appear beside what everybody sees.
  if (isPrivate) {
    await createPackageSource(ctx, { ...asked, isPrivate });
    return { ...skipped('private: the notes inside of the package are read'), source: 'added' };
  }
  const mapped = await mappedSource(ctx, asked);
  // A lookup has found it before.
  if (mapped && isUnlisted(mapped.source) && isPackagePage(mapped.source)) {
    await updateSource(ctx, { src: mapped.source.id }, { isHidden: false, fetchPriority: 'normal' });
    return { ...skipped('not installed: the notes inside of the package are read'), source: 'added' };
  }
  const description = describeSource(packageOf(spelling, repository), {});
  if (description === null) return skipped('no name');
  const requested = { described: description, isShared: false, given: {}, track: true, intoFetched: false };
  const parser = repository === null ? PACKAGE_PARSER : undefined;
  const { isNew } = await importSource(ctx, { ...requested, outside: NOTHING_OUTSIDE, ...(parser && { parser }) });
  const where = repository === null ? 'the notes inside of the package are read' : 'its repository is read';
  return { ...skipped(`not installed: ${where}`), source: isNew ? 'added' : 'known' };
}

function packageOf(name: string, repository: ReturnType<typeof readRepository>): LocalPackage {
  const scope = /^@([^/]+)\//.exec(name)?.[1] ?? null;
  const metadata = { name, version: null, isPrivate: false, repository, homepage: null, scope, author: null };
  return { label: name, metadata, path: null, root: null, directory: null };
}
