// Parses the stored files of a source again, as drafts for the releases that came from them.
import type { Draft } from '../../catalog/releases/draft.ts';
import type { SourceInOrg } from '../../catalog/resolve.ts';
import { type Context, queries } from '../../context.ts';
import { bodyMedia } from '../../domain/html/media.ts';
import { tidyMarkdown } from '../../domain/html/to-markdown.ts';
import { versionIdentity } from '../../domain/versions/index.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import {
  distinctEntries,
  entryDraft,
  entryFiles,
  type FileEntry,
  fileEntries,
  lastSegment,
  oldestFirst,
} from '../adapters/changelog/entries.ts';
import { sourceNames } from './fill-stored.ts';

export interface RereadEntries {
  drafts: Draft[];
  // Whether a release came from one of the files that were parsed completely.
  coversRow(row: Pick<ReleaseRow, 'url' | 'package_part'>): boolean;
}

type StoredEntry = Awaited<ReturnType<typeof rowsOf>>[number];

// Null for a source none of whose releases came from a file: its files only fill what it publishes itself.
export async function readAgain(ctx: Context, sourceInOrg: SourceInOrg): Promise<RereadEntries | null> {
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
