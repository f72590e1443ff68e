// Writes one package: its source, its releases in batches, its entry in the package map, its file.

import { type Context, transact, type WriteContext } from '../../context.ts';
import { formatOf } from '../../domain/changelog/files.ts';
import type { ChangelogEntry, OutsideText } from '../../domain/changelog/types.ts';
import { checkReleases } from '../../domain/release-check.ts';
import { factsOf } from '../../domain/source-types.ts';
import { versionIdentity } from '../../domain/versions/index.ts';
import { countOutsideText } from '../../entities/registry/count-outside-text.ts';
import type { SourceInOrg } from '../../entities/resolve.ts';
import { writeDrafts } from '../../releases/write/write-drafts.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { readDocument } from '../../threads/documents.ts';
import { resultOf } from '../../threads/results.ts';
import {
  distinctEntries,
  entryDraft,
  type FileEntry,
  lastSegment,
  locateEntry,
  oldestFirst,
} from '../adapters/changelog/entries.ts';
import { type FileHosts, fileAddresses } from '../changelog-files/addresses.ts';
import { chooseChangelogFiles, MAX_FILES } from '../changelog-files/choose.ts';
import { ENTRY_READING, VERSION_READING } from '../changelog-files/text-tasks.ts';
import { flagCanonical, storeOriginal } from '../changelog-files/write-files.ts';
import { assignToRepository, mapPackage, type SourceToImport } from './import-source.ts';
import type { LocalFile } from './read-changelog.ts';

export interface PackageCounts {
  // Entries in the file, one for each version.
  found: number;
  // Entries that were joined because the file heads their version more than once.
  joined: number;
  inserted: number;
  updated: number;
}

interface PackageToImport extends SourceToImport {
  file: LocalFile;
  // Ends the import between two batches.
  signal?: AbortSignal | undefined;
}

interface ImportedPackage {
  // Null when the file has no entry; then nothing is written.
  counts: PackageCounts | null;
  outside: OutsideText;
  // Its source was made for it.
  isNew: boolean;
  // Its source is fetched from elsewhere; then nothing is written either.
  isKept: boolean;
}

const BATCH = 500;

export async function importPackage(ctx: Context, requested: PackageToImport): Promise<ImportedPackage> {
  const { described, file, signal } = requested;
  const names = [described.name, described.org?.name, described.packageName, lastSegment(described.packageName ?? '')];
  const options = { names: names.flatMap((name) => name || []), now: ctx.clock(), format: formatOf(file.filename) };
  const { text } = file;
  const { entries, outside } = await readDocument(ENTRY_READING, { text, options }, text.length, signal);
  if (entries.length === 0) return { counts: null, outside, isNew: false, isKept: false };
  signal?.throwIfAborted();
  const begun = await transact(ctx, (ctx) => begin(ctx, { requested, parsed: entries, outside }));
  if (begun === null) return { counts: null, outside, isNew: false, isKept: true };
  for (let start = BATCH; start < begun.entries.length; start += BATCH) {
    signal?.throwIfAborted();
    await transact(ctx, (ctx) => writeEntries(ctx, begun, start));
  }
  // The file is stored last, so that a stored file means that its entries are stored.
  const { fileLocation } = begun;
  if (fileLocation && !begun.isLate) {
    await transact(ctx, (ctx) =>
      storeImportedFile(ctx, { sourceId: begun.sourceInOrg.source.id, location: fileLocation, file }),
    );
  }
  return { counts: begun.counts, outside, isNew: begun.isNew, isKept: false };
}

interface Begun {
  sourceInOrg: SourceInOrg;
  isNew: boolean;
  fileLocation: FileLocation | null;
  entries: FileEntry[];
  // The registry has already fetched the repository, or stores a newer file: then only missing releases are added.
  isLate: boolean;
  counts: PackageCounts;
}

async function begin(
  ctx: WriteContext,
  {
    requested,
    parsed,
    outside,
  }: { requested: PackageToImport; parsed: readonly ChangelogEntry[]; outside: OutsideText },
): Promise<Begun | null> {
  const { described, file } = requested;
  const assigned = await assignToRepository(ctx, requested);
  if (assigned.isKept) return null;
  const { sourceInOrg, part, isShared } = assigned;
  const directory = described.type === 'github' ? described.repository.directory : null;
  const fileLocation = locateFile(ctx.config.upstream, {
    source: sourceInOrg.source,
    filename: file.filename,
    directory,
    isShared,
  });
  const found = distinctEntries(parsed.map((entry) => locateEntry(entry, fileLocation?.url ?? null, part)));
  const isOlder =
    fileLocation !== null &&
    (await isOlderThanStored(ctx, { sourceId: sourceInOrg.source.id, path: fileLocation.path, entries: found }));
  const begun: Begun = {
    sourceInOrg,
    isNew: assigned.isNew,
    fileLocation,
    entries: oldestFirst(await withoutReleased(ctx, sourceInOrg, found)),
    isLate: isOlder || sourceInOrg.source.last_fetched_at !== null,
    counts: { found: found.length, joined: parsed.length - found.length, inserted: 0, updated: 0 },
  };
  // The map comes first, because titles begin with the name of the package.
  await mapPackage(ctx, described, assigned);
  await writeEntries(ctx, begun, 0);
  // A second import of the same file counts nothing.
  if (begun.isNew || begun.counts.inserted + begun.counts.updated > 0) await countOutsideText(ctx, outside);
  return begun;
}

// Versions that the repository itself has released are left out.
async function withoutReleased(
  ctx: WriteContext,
  { source }: SourceInOrg,
  entries: readonly FileEntry[],
): Promise<FileEntry[]> {
  const rows = await ctx.tx
    .selectFrom('releases')
    .select('version')
    .where('source_id', '=', source.id)
    .where('origin', 'not in', ['tag', 'changelog'])
    .where('version', 'is not', null)
    .execute();
  const released = new Set(rows.map(({ version }) => versionIdentity(version ?? '')));
  return entries.filter(({ versionText }) => versionText === null || !released.has(versionIdentity(versionText)));
}

async function writeEntries(ctx: WriteContext, begun: Begun, start: number): Promise<void> {
  const { sourceInOrg, counts } = begun;
  const batch = begun.entries.slice(start, start + BATCH).flatMap(({ yanked, ...entry }) => {
    const { releases } = checkReleases([entryDraft({ yanked, ...entry })], ctx.clock());
    return releases.map((draft) => ({ draft, yanked }));
  });
  const written = await writeDrafts(ctx, {
    sourceInOrg,
    drafts: batch.map(({ draft }) => draft),
    insertOnly: begun.isLate,
    writtenBy: 'import',
    silent: true,
  });
  counts.inserted += written.inserted;
  counts.updated += written.updated;
}

// The changelog file itself, for sources whose changelog the registry serves.

interface FileLocation {
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
function locateFile(
  hosts: FileHosts,
  { source, filename, directory, isShared }: FileInRepository,
): FileLocation | null {
  if (!factsOf(source.type).isRepository || source.github_coordinate === null || (directory === null && isShared))
    return null;
  const path = directory ? `${directory}/${filename}` : filename;
  return { path, ...fileAddresses(hosts, source.github_coordinate, path) };
}

// True when the stored file has every version of this one, and more.
async function isOlderThanStored(
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
  const known = await resultOf(ctx, { task: VERSION_READING, input, size: text.length });
  const own = new Set(entries.flatMap(({ version }) => (version === null ? [] : versionIdentity(version))));
  return known.size > own.size && [...own].every((version) => known.has(version));
}

// Stores the file unless the very same one is stored.
async function storeImportedFile(
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
