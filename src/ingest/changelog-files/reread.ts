// Parses stored changelog files again when the parser has changed since, so that its corrections reach stored releases. One
// source at a time, in the background and without events; after a crash the next pass continues.

import { type Context, queries, transact, type WriteContext } from '../../context.ts';
import { PARSER_VERSION } from '../../domain/changelog/parser-version.ts';
import { bodyMedia } from '../../domain/html/media.ts';
import { tidyMarkdown } from '../../domain/html/to-markdown.ts';
import { checkSteps } from '../../domain/release-check.ts';
import { identityKeys } from '../../domain/release-identity.ts';
import { utcDay } from '../../domain/timestamps.ts';
import { versionIdentity } from '../../domain/versions/index.ts';
import { findSource, type SourceInOrg, sourceById } from '../../entities/resolve.ts';
import { refreshFigures, refreshOrgCount } from '../../releases/figures.ts';
import { rebuildChunks } from '../../releases/indexing/rebuild-chunks.ts';
import type { Draft } from '../../releases/write/draft.ts';
import { prepareTexts } from '../../releases/write/prepare-texts.ts';
import { reviseRelease } from '../../releases/write/revise.ts';
import { ownAddresses, writeDrafts } from '../../releases/write/write-drafts.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import { inTurns } from '../../threads/turns.ts';
import {
  distinctEntries,
  entryDraft,
  entryFiles,
  type FileEntry,
  fileEntries,
  lastSegment,
  oldestFirst,
} from '../adapters/changelog/entries.ts';
import { fillStoredReleases, sourceNames } from './fill-stored.ts';
import { fillGuideNotes } from './guide-notes.ts';
import { prepareReread } from './prepare-files.ts';

const BATCH = 500;
const REASON = 'reparse';

// False when no stored file was read by an older parser.
export async function rereadNextSource(ctx: Context): Promise<boolean> {
  const next = await queries(ctx)
    .selectFrom('changelog_files')
    .select('source_id')
    .where('parser_version', '<', PARSER_VERSION)
    .orderBy('parser_version')
    .limit(1)
    .executeTakeFirst();
  if (!next) return false;
  await reread(ctx, next.source_id);
  return true;
}

async function reread(ctx: Context, sourceId: string): Promise<void> {
  const sourceInOrg = await findSource(ctx, { src: sourceId });
  const reading = sourceInOrg && !sourceInOrg.source.deleted_at ? await readAgain(ctx, sourceInOrg) : null;
  const seen = new Set<string>();
  if (sourceInOrg && reading) {
    const { releases } = await inTurns(checkSteps(reading.drafts, ctx.clock()));
    for (let start = 0; start < releases.length; start += BATCH) {
      const drafts = releases.slice(start, start + BATCH);
      const keys = identityKeys(drafts, ownAddresses(sourceInOrg.source));
      await transact(await prepareTexts(ctx, { sourceInOrg, drafts, keys }), async (ctx) => {
        const requested = { sourceInOrg, drafts, keys, writtenBy: 'import', silent: true, isReparse: true } as const;
        for (const { id } of (await writeDrafts(ctx, requested)).items) if (id) seen.add(id);
      });
    }
  }
  const ahead = sourceInOrg ? await prepareReread(ctx, sourceInOrg) : ctx;
  await transact(ahead, (ctx) => finish(ctx, { sourceId, sourceInOrg, reading, seen }), 'derived');
}

async function finish(
  ctx: WriteContext,
  {
    sourceId,
    sourceInOrg,
    reading,
    seen,
  }: { sourceId: string; sourceInOrg: SourceInOrg | null; reading: RereadEntries | null; seen: ReadonlySet<string> },
): Promise<void> {
  await ctx.store.dialect.lock(ctx.tx, `source:${sourceId}`);
  if (sourceInOrg && reading) {
    await settleListing(ctx, { sourceId, reading, seen });
    await fillStoredReleases(ctx, sourceInOrg);
    await fillGuideNotes(ctx, sourceInOrg);
  }
  const files = await ctx.tx.selectFrom('changelog_files').select('path').where('source_id', '=', sourceId).execute();
  for (const { path } of files) await rebuildChunks(ctx, { sourceId, path });
  await ctx.tx
    .updateTable('changelog_files')
    .set({ parser_version: PARSER_VERSION })
    .where('source_id', '=', sourceId)
    .execute();
}

// Releases that the files no longer have are hidden, and those that they have again are shown.
async function settleListing(
  ctx: WriteContext,
  { sourceId, reading, seen }: { sourceId: string; reading: RereadEntries; seen: ReadonlySet<string> },
): Promise<void> {
  const sourceInOrg = await sourceById(ctx, sourceId);
  if (!sourceInOrg) return;
  const rows = await ctx.tx
    .selectFrom('releases')
    .selectAll()
    .where('source_id', '=', sourceId)
    .where('origin', '=', 'changelog')
    .execute();
  const days = new Set<string>();
  for (const stored of rows) {
    const isFound = seen.has(stored.id);
    const isLost = !isFound && stored.suppressed === 0 && reading.coversRow(stored);
    const isBack = isFound && stored.suppressed_by === 'source' && stored.suppressed_reason === REASON;
    if (!isLost && !isBack) continue;
    const changes: Partial<ReleaseRow> = isLost
      ? { suppressed: 1, suppressed_reason: REASON, suppressed_by: 'source' }
      : { suppressed: 0, suppressed_reason: null, suppressed_by: null };
    await reviseRelease(ctx, sourceInOrg, { stored, changed: ['suppressed'], cause: 'reparse', changes });
    if (stored.published_at) days.add(utcDay(stored.published_at));
  }
  await refreshFigures(ctx, { id: sourceId, visible: sourceInOrg.visible }, days);
  await refreshOrgCount(ctx, sourceInOrg.source.org_id);
}

// Parses the stored files of a source again, as drafts for the releases that came from them.

interface RereadEntries {
  drafts: Draft[];
  // Whether a release came from one of the files that were parsed completely.
  coversRow(row: Pick<ReleaseRow, 'url' | 'package_part'>): boolean;
}

type StoredEntry = Awaited<ReturnType<typeof rowsOf>>[number];

// Null for a source none of whose releases came from a file: its files only fill what it publishes itself.
async function readAgain(ctx: Context, sourceInOrg: SourceInOrg): Promise<RereadEntries | null> {
  const { id } = sourceInOrg.source;
  const rows = await rowsOf(ctx, id);
  if (!rows.some(({ origin }) => origin === 'changelog' || origin === 'tag')) return null;
  const files = await filesOf(ctx, id);
  const parts = [...new Set(rows.flatMap(({ package_part: part }) => part ?? []))];
  const packages = await queries(ctx).selectFrom('packages').select('name').where('source_id', '=', id).execute();
  const names = [...sourceNames(sourceInOrg), ...packages.flatMap(({ name }) => [name, lastSegment(name)])];
  const read = entryFiles(files, parts).map(({ file, packagePart }) => ({
    file,
    part: partByAddress(rows, file.url) ?? packagePart,
  }));
  const entries = read.flatMap(({ file, part }) => fileEntries(file, part, { names, now: ctx.clock() }));
  const cut = new Set(files.flatMap(({ path, truncatedAt }) => (truncatedAt === null ? [] : path)));
  const whole = read.filter(({ file }) => !cut.has(file.path));
  return {
    drafts: draftsOf(oldestFirst(distinctEntries(entries)), rows),
    coversRow: ({ url, package_part: part }) =>
      whole.some((one) => (url === null ? one.part === part : url.startsWith(`${one.file.url}#`))),
  };
}

function rowsOf(ctx: Context, sourceId: string) {
  return queries(ctx)
    .selectFrom('releases')
    .select(['version', 'package_part', 'origin', 'url', 'guid', 'title', 'published_at', 'prerelease'])
    .where('source_id', '=', sourceId)
    .execute();
}

async function filesOf(ctx: Context, sourceId: string) {
  const rows = await queries(ctx)
    .selectFrom('changelog_files')
    .select(['path', 'url', 'content', 'canonical', 'truncated_at'])
    .where('source_id', '=', sourceId)
    .orderBy('canonical', 'desc')
    .orderBy('path')
    .execute();
  return rows.map(({ canonical, truncated_at: truncatedAt, ...row }) => ({
    ...row,
    canonical: canonical === 1,
    truncatedAt,
  }));
}

// The package under which the entries of a file are stored already; undefined when none of them is.
function partByAddress(rows: readonly StoredEntry[], fileUrl: string): string | null | undefined {
  return rows.find(({ origin, url }) => origin === 'changelog' && url?.startsWith(`${fileUrl}#`))?.package_part;
}

// Published releases are left out; a tag only takes the text of its entry.
function draftsOf(entries: readonly FileEntry[], rows: readonly StoredEntry[]): Draft[] {
  const stored = new Map(rows.flatMap((row) => (row.version === null ? [] : [[versionIdentity(row.version), row]])));
  return entries.flatMap((entry): Draft[] => {
    const row = entry.versionText === null ? undefined : stored.get(versionIdentity(entry.versionText));
    if (!row || row.origin === 'changelog') return [entryDraft(entry)];
    if (row.origin !== 'tag' || entry.body.trim() === '') return [];
    const content = tidyMarkdown(entry.body);
    const { title, version, url, guid, origin } = row;
    const own = { title, version, url, guid, origin, publishedAt: row.published_at, prerelease: row.prerelease === 1 };
    return [{ ...own, content, media: bodyMedia(content) }];
  });
}
