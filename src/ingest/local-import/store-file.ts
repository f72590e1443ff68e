// The changelog file itself, for sources whose changelog the registry serves.

import type { WriteContext } from '../../context.ts';
import { factsOf } from '../../domain/source-types.ts';
import { versionIdentity } from '../../domain/versions/index.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { computed } from '../../threads/computed.ts';
import type { FileEntry } from '../adapters/changelog/entries.ts';
import { type FileHosts, fileAddresses } from '../changelog-files/addresses.ts';
import { chooseChangelogFiles, MAX_FILES } from '../changelog-files/choose.ts';
import { VERSION_READING } from '../changelog-files/text-tasks.ts';
import { flagCanonical, storeOriginal } from '../changelog-files/write-files.ts';
import type { LocalFile } from './read-changelog.ts';

export interface FileLocation {
  path: string;
  url: string;
  rawUrl: string;
}

interface FileInRepository {
  source: SourceRow;
  filename: string;
  directory: string | null;
  // Other packages of the import come from the same repository.
  isShared: boolean;
}

// The location of the file in its repository. Null for sources without a repository, and for one of several packages without
// a stated folder: two files must not overwrite each other under one path.
export function locateFile(
  hosts: FileHosts,
  { source, filename, directory, isShared }: FileInRepository,
): FileLocation | null {
  if (!factsOf(source.type).isRepository || source.github_coordinate === null || (directory === null && isShared))
    return null;
  const path = directory ? `${directory}/${filename}` : filename;
  return { path, ...fileAddresses(hosts, source.github_coordinate, path) };
}

// True when the stored file has every version of this one, and more.
export async function isOlderThanStored(
  ctx: WriteContext,
  { sourceId, path, entries }: { sourceId: string; path: string; entries: readonly FileEntry[] },
): Promise<boolean> {
  const stored = await ctx.tx
    .selectFrom('changelog_files')
    .select('content')
    .where('source_id', '=', sourceId)
    .where('path', '=', path)
    .executeTakeFirst();
  if (!stored) return false;
  const { content: text } = stored;
  const input = { text, options: { names: [], now: ctx.clock() } };
  const known = computed({ task: VERSION_READING, input, size: text.length, key: text });
  const own = new Set(entries.flatMap(({ version }) => (version === null ? [] : versionIdentity(version))));
  return known.size > own.size && [...own].every((version) => known.has(version));
}

// Stores the file unless the very same one is stored.
export async function storeImportedFile(
  ctx: WriteContext,
  { sourceId, location, file }: { sourceId: string; location: FileLocation; file: LocalFile },
): Promise<void> {
  const { text, hash, bytes } = file;
  const stored = await ctx.tx
    .selectFrom('changelog_files')
    .select(['path', 'blob_hash'])
    .where('source_id', '=', sourceId)
    .execute();
  const known = stored.find(({ path }) => path === location.path);
  if (known?.blob_hash === hash || (!known && stored.length >= MAX_FILES)) return;
  await storeOriginal(ctx, sourceId, { ...location, text, hash, bytes, startsAt: 0 });
  const paths = new Set([...stored.map(({ path }) => path), location.path]);
  const chosen = chooseChangelogFiles([...paths].map((path) => ({ path, hash: null, size: null })));
  const canonical = chosen.find((file) => file.canonical);
  if (canonical) await flagCanonical(ctx, sourceId, canonical.path);
}
