// The changelogs of published packages as files of the repository that they come from, while it has none of its own.

import { type Context, now, queries, transact, type WriteContext } from '../../context.ts';
import { changelogKind, fileNameOf } from '../../domain/changelog/files.ts';
import { packagePage } from '../../domain/package-page.ts';
import { packageKey } from '../../domain/published-package.ts';
import { partOfPackage } from '../../domain/upgrade/requested-package.ts';
import { findSource } from '../../entities/resolve.ts';
import { partsOfSources } from '../../packages/whats-changed/package-sources.ts';
import { listFiles } from '../../releases/changelog-files/read-slice.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { packageOfPath, packedPath } from '../adapters/changelog/packed.ts';
import type { AdapterContext, OriginalFile } from '../adapters/contract.ts';
import { memoryKey, recall, remember } from '../adapters/memory.ts';
import { MAX_FILES } from '../changelog-files/choose.ts';
import { fillStoredReleases } from '../changelog-files/fill-stored.ts';
import { fillGuideNotes } from '../changelog-files/guide-notes.ts';
import { prepareRefresh } from '../changelog-files/prepare-files.ts';
import { flagCanonical, removeFiles, storeOriginal } from '../changelog-files/write-files.ts';
import { readMemory, storeMemory } from '../state/memory.ts';
import { fetchNotes } from './fetch-notes.ts';
import { archivesOfSource, type ListedArchive } from './listed-archives.ts';
import type { PackedFile } from './read-notes.ts';

interface NotesRefresh {
  stored: string[];
  removed: string[];
}

// The hashes of the archives that were read, by package: an archive is downloaded once.
const READ = memoryKey<Record<string, string>>('package-notes');

export async function refreshPackageNotes(
  ctx: Context,
  adapterCtx: AdapterContext,
  source: SourceRow,
): Promise<NotesRefresh> {
  const files = await listFiles(ctx, source.id);
  const packed = files.map(({ path }) => path).filter((path) => packageOfPath(path) !== null);
  const hasOwn = files.some(({ path }) => packageOfPath(path) === null && hasEntries(path));
  const archives = hasOwn ? [] : (await archivesOfSource(ctx, source.id)).slice(0, MAX_FILES);
  const read = recall(await readMemory(queries(ctx), source.id), READ) ?? {};
  const found = await readArchives(ctx, adapterCtx, { source, archives, read });
  const removed = packed.filter((path) => isGone(path, archives, found));
  // What was read is forgotten with the files, so that they come back when the repository loses its own.
  const forgets = hasOwn && Object.keys(read).length > 0;
  if (found.size === 0 && removed.length === 0 && !forgets) return { stored: [], removed: [] };
  const fresh = [...found.values()].flatMap(({ archive, files }) => files.map((file) => originalOf(archive, file)));
  const sourceInOrg = await findSource(ctx, { src: source.id });
  const canonical =
    files.find((file) => file.canonical === 1)?.path ?? fresh.find(({ path }) => hasEntries(path))?.path;
  const ahead = sourceInOrg ? await prepareRefresh(ctx, sourceInOrg, { files: fresh, canonical }) : ctx;
  const findings = { source, archives, found, fresh, removed, read: hasOwn ? {} : read };
  return { stored: await transact(ahead, (ctx) => settle(ctx, findings), 'derived'), removed };
}

function hasEntries(path: string): boolean {
  const kind = changelogKind(fileNameOf(path));
  return kind !== null && kind !== 'guide';
}

// What was read anew, by package: its changelog first, then its guides.
type Found = Map<string, { archive: ListedArchive; files: PackedFile[] }>;

async function readArchives(
  ctx: Context,
  adapterCtx: AdapterContext,
  { source, archives, read }: { source: SourceRow; archives: readonly ListedArchive[]; read: Record<string, string> },
): Promise<Found> {
  const found: Found = new Map();
  for (const archive of archives) {
    const key = packageKey(archive);
    if (archive.integrity !== null && read[key] === archive.integrity) continue;
    const notes = await fetchNotes(adapterCtx, archive);
    if ('failure' in notes) {
      ctx.log.info(
        { source: source.id, package: key, ...notes.failure },
        'the archive of a package was not downloaded',
      );
      // The next archive is on the same host.
      if (notes.failure.outcome === 'throttled') break;
      continue;
    }
    if (notes.refused)
      ctx.log.warn({ source: source.id, package: key, reason: notes.refused }, 'an archive was refused');
    found.set(key, { archive, files: [...(notes.file ? [notes.file] : []), ...(notes.guides ?? [])] });
  }
  return found;
}

// A file stays while its package does and its newest archive has one.
function isGone(path: string, archives: readonly ListedArchive[], found: Found): boolean {
  const named = packageOfPath(path);
  if (!named || !archives.some((archive) => packageKey(archive) === packageKey(named))) return true;
  const fresh = found.get(packageKey(named));
  return fresh?.files.every((file) => packedPath(named, file.path) !== path) === true;
}

interface NotesFindings {
  source: SourceRow;
  archives: readonly ListedArchive[];
  found: Found;
  fresh: readonly OriginalFile[];
  removed: readonly string[];
  read: Record<string, string>;
}

async function settle(ctx: WriteContext, findings: NotesFindings): Promise<string[]> {
  const { source, archives, found, fresh, removed, read } = findings;
  await ctx.store.dialect.lock(ctx.tx, `source:${source.id}`);
  const sourceInOrg = await findSource(ctx, { src: source.id });
  if (!sourceInOrg) return [];
  await removeFiles(ctx, source.id, removed);
  for (const file of fresh) await storeOriginal(ctx, source.id, file);
  if (archives.length > 1) await nameParts(ctx, source.id);
  await chooseCanonical(ctx, source.id);
  const hashes = [...found].map(([key, { archive }]) => [key, archive.integrity ?? '']);
  await storeMemory(ctx, source.id, remember(READ, { ...read, ...Object.fromEntries(hashes) }));
  if (fresh.length > 0) {
    await fillStoredReleases(ctx, sourceInOrg);
    await fillGuideNotes(ctx, sourceInOrg);
  }
  return fresh.map(({ path }) => path);
}

function originalOf(archive: ListedArchive, { path, text, hash, bytes }: PackedFile): OriginalFile {
  const place = {
    path: packedPath(archive, path),
    url: packagePage({ ...archive, name: archive.spelling }),
    rawUrl: archive.url,
  };
  return { ...place, text, hash, bytes, startsAt: 0 };
}

// Packages that share a repository keep their own text, so that their entries begin with their names.
async function nameParts(ctx: WriteContext, sourceId: string): Promise<void> {
  const { parts } = (await partsOfSources(ctx, [sourceId])).get(sourceId) ?? { parts: [] };
  const rows = await ctx.tx
    .selectFrom('packages')
    .select(['id', 'name'])
    .where('source_id', '=', sourceId)
    .where('origin', '=', 'ingest')
    .where('package_part', 'is', null)
    .execute();
  for (const { id, name } of rows) {
    const package_part = partOfPackage(parts, { name, folder: '' }) ?? name;
    await ctx.tx
      .updateTable('packages')
      .set({ package_part, updated_at: now(ctx) })
      .where('id', '=', id)
      .execute();
  }
}

async function chooseCanonical(ctx: WriteContext, sourceId: string): Promise<void> {
  const files = await listFiles(ctx, sourceId);
  const first = files.find(({ path }) => hasEntries(path));
  if (first && !files.some(({ canonical }) => canonical === 1)) await flagCanonical(ctx, sourceId, first.path);
}
