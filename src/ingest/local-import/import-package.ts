// Writes one package: its place, its releases in batches, its entry in the package map, its file.
import { putPackage } from '../../catalog/packages/put.ts';
import { suppressReleases } from '../../catalog/releases/suppress.ts';
import { writeDrafts } from '../../catalog/releases/write-drafts.ts';
import type { SourceInOrg } from '../../catalog/resolve.ts';
import { type Context, transact, type WriteContext } from '../../context.ts';
import { type ChangelogEntry, parseChangelog } from '../../domain/changelog/entries.ts';
import { versionIdentity } from '../../domain/versions/index.ts';
import { type FileEntry, lastSegment, placeEntry } from '../changelog-files/entries.ts';
import { formatOf } from '../changelog-files/file-text.ts';
import type { Given, SourceDescription } from './describe.ts';
import { distinctEntries, entryDraft, oldestFirst } from './entry-drafts.ts';
import { type FilePlace, isOlderThanStored, keepFile, placeOfFile } from './keep-file.ts';
import { type Placed, placePackage } from './place.ts';
import type { LocalFile } from './read-changelog.ts';

export interface PackageCounts {
  // Entries in the file, one for each version.
  found: number;
  inserted: number;
  updated: number;
}

export interface PackageToImport {
  described: SourceDescription;
  file: LocalFile;
  // The import has other packages of the same repository.
  isShared: boolean;
  given: Given;
}

const BATCH = 500;

/** Null when the file has no entry; then nothing is written. */
export async function importPackage(ctx: Context, asked: PackageToImport): Promise<PackageCounts | null> {
  const { described, file } = asked;
  const names = [described.name, described.org?.name, described.packageName, lastSegment(described.packageName ?? '')];
  const parsed = parseChangelog(file.text, {
    names: names.flatMap((name) => name || []),
    now: ctx.clock(),
    format: formatOf(file.filename),
  });
  if (parsed.length === 0) return null;
  const begun = await transact(ctx, (inner) => begin(inner, asked, parsed));
  for (let start = BATCH; start < begun.entries.length; start += BATCH) {
    await transact(ctx, (inner) => writeEntries(inner, begun, start));
  }
  // Last, so that a file in the registry means that its entries are there.
  const { filePlace } = begun;
  if (filePlace && !begun.isLate) {
    await transact(ctx, (inner) => keepFile(inner, begun.place.source.id, filePlace, file));
  }
  return begun.counts;
}

interface Begun {
  place: SourceInOrg;
  filePlace: FilePlace | null;
  entries: FileEntry[];
  // The registry has read the repository itself, or a newer file: then only what is missing is added.
  isLate: boolean;
  counts: PackageCounts;
}

async function begin(ctx: WriteContext, asked: PackageToImport, parsed: readonly ChangelogEntry[]): Promise<Begun> {
  const { described, file, given } = asked;
  const placed = await placePackage(ctx, described, given);
  const { place } = placed;
  const directory = described.type === 'github' ? described.repository.directory : null;
  const isShared = asked.isShared || Boolean(directory) || (await hasOtherPackages(ctx, placed, described));
  const part = partOf(placed, described, isShared);
  const filePlace = placeOfFile(ctx.config.upstream, place, file.filename, directory, isShared);
  const found = distinctEntries(parsed.map((entry) => placeEntry(entry, filePlace?.url ?? null, part)));
  const isOlder = filePlace !== null && (await isOlderThanStored(ctx, place.source.id, filePlace, found));
  const begun: Begun = {
    place,
    filePlace,
    entries: oldestFirst(await withoutReleased(ctx, place, found)),
    isLate: isOlder || place.source.last_fetched_at !== null,
    counts: { found: found.length, inserted: 0, updated: 0 },
  };
  await writeEntries(ctx, begun, 0);
  if (described.npm !== null && placed.mapped === null) {
    const entry = { ecosystem: 'npm', name: described.npm, sourceId: place.source.id, packagePart: part } as const;
    await putPackage(ctx, { ...entry, origin: 'ingest' });
  }
  return begun;
}

// Decided once: another name later would make other releases of the same entries.
function partOf({ place, mapped }: Placed, { packageName }: SourceDescription, isShared: boolean): string | null {
  if (mapped?.source_id === place.source.id) return mapped.package_part;
  return isShared ? packageName : null;
}

async function hasOtherPackages(ctx: WriteContext, { place, mapped }: Placed, described: SourceDescription) {
  if (described.type !== 'github') return false;
  const other = await ctx.tx
    .selectFrom('packages')
    .select('id')
    .where('source_id', '=', place.source.id)
    .where('id', '<>', mapped?.id ?? '')
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

// What the repository itself has released is told there, and better.
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
  const { place, counts } = begun;
  const batch = begun.entries.slice(start, start + BATCH);
  const written = await writeDrafts(ctx, {
    place,
    drafts: batch.map(entryDraft),
    insertOnly: begun.isLate,
    writtenBy: 'import',
    silent: true,
  });
  counts.inserted += written.inserted;
  counts.updated += written.updated;
  const yanked = written.items.filter(({ index, outcome }) => outcome === 'inserted' && batch[index]?.yanked);
  const ids = yanked.flatMap(({ id }) => id ?? []);
  if (ids.length > 0) await suppressReleases(ctx, ids, { suppressed: true, reason: 'yanked' });
}
