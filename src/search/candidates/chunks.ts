// Chunks of changelog files that retrievers found by key; like releases, their rows are read and checked here.
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import type { SearchFilter } from '../../domain/retrieval/retrievers.ts';
import type { ScoredText } from '../../domain/search-text/score.ts';
import { versionSort } from '../../domain/versions/index.ts';
import { visibleSource } from '../../entities/visible.ts';
import { rowsByKeys } from '../../store/pipeline.ts';
import type { Queries } from '../../store/schema/index.ts';
import { SOURCE_COLUMNS } from '../filters/columns.ts';
import { checkOf } from '../filters/entry.ts';
import { ENTITY_FILTERS, VERDICT_FILTERS } from '../filters/table.ts';
import { searchQueries } from '../search-connection.ts';

export interface ChunkCandidate extends EntryChunk {
  kind: 'chunk';
  seq: number;
  docKey: number;
}

interface ChunkDocument {
  candidate: ChunkCandidate;
  dated: boolean;
  text: ScoredText;
}

export async function chunksBySeq(
  ctx: Context,
  seqs: readonly number[],
  filter: SearchFilter,
): Promise<Map<number, ChunkCandidate>> {
  const rows = await rowsBySeq(searchQueries(ctx), ctx.store.dialect, seqs);
  const shown = await passing(ctx, rows, filter);
  return new Map(shown.map(({ candidate }) => [candidate.seq, candidate]));
}

// Chunks with the texts that rank them: only headings and versions, because the rest is in the files.
export async function chunkDocuments(
  ctx: Context,
  keys: readonly number[],
  filter: SearchFilter,
): Promise<ChunkDocument[]> {
  const rows = await rowsByDocKey(searchQueries(ctx), ctx.store.dialect, keys);
  return (await passing(ctx, rows, filter)).map(({ row, candidate }) => ({
    candidate,
    dated: row.entry_date !== null,
    text: {
      title: row.heading ?? '',
      version: row.version ?? '',
      ownVersion: row.version,
      summary: '',
      content: null,
      contentLength: row.length_chars,
    },
  }));
}

// The joins are left joins, although every chunk has a source, because a planner must not begin with the sources.
function rowQuery(db: Queries) {
  return db
    .selectFrom('changelog_chunks as c')
    .leftJoin('sources as s', 's.id', 'c.source_id')
    .leftJoin('orgs as o', 'o.id', 's.org_id')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .select(['c.seq', 'c.doc_key', 'c.source_id', 'c.path', 'c.version', 'c.heading', 'c.entry_date', 'c.length_chars'])
    .select(['c.blank', 's.org_id', 's.product_id', 's.type as source_type'])
    .select(SOURCE_COLUMNS.kind.as('kind'))
    .select(SOURCE_COLUMNS.category.as('category'))
    .select(sql<number>`CASE WHEN ${visibleSource()} THEN 1 ELSE 0 END`.as('visible'));
}

const rowsByDocKey = rowsByKeys((db, among) => rowQuery(db).where(among('c.doc_key')));
const rowsBySeq = rowsByKeys((db, among) => rowQuery(db).where(among('c.seq')));

type ChunkCandidateRow = Awaited<ReturnType<ReturnType<typeof rowQuery>['execute']>>[number];

interface PassedChunk {
  row: ChunkCandidateRow;
  candidate: ChunkCandidate;
}

async function passing(ctx: Context, rows: readonly ChunkCandidateRow[], filter: SearchFilter): Promise<PassedChunk[]> {
  const check = checkOf(ENTITY_FILTERS, filter);
  const shown = rows
    .filter((row) => row.visible === 1 && row.blank === 0 && check(row))
    .map((row) => ({ row, candidate: candidateOf(row) }));
  if (VERDICT_FILTERS.every((entry) => entry.check(filter) === null)) return shown;
  // A chunk has no verdict of its own, so that of the release of its entry counts.
  const ofVerdict = checkOf(VERDICT_FILTERS, filter);
  const releases = await releasesOfEntries(
    ctx,
    shown.map(({ candidate }) => candidate),
  );
  return shown.filter((_, index) => {
    const release = releases[index];
    return release ? ofVerdict(release) : false;
  });
}

function candidateOf(row: ChunkCandidateRow): ChunkCandidate {
  let sortKey: string | null | undefined;
  return {
    kind: 'chunk',
    seq: row.seq,
    docKey: row.doc_key,
    sourceId: row.source_id,
    path: row.path,
    version: row.version,
    // The key is computed on demand, because only chunks next to a release of their source need it, and once, because
    // those are compared with every release of the source that was found.
    get versionSort() {
      if (sortKey === undefined) sortKey = row.version === null ? null : versionSort(row.version);
      return sortKey;
    },
  };
}

// The release of a changelog chunk: the release of the same version in the same source.

interface EntryChunk {
  sourceId: string;
  path: string;
  version: string | null;
  versionSort: string | null;
}

interface EntryRelease {
  sourceId: string;
  version: string | null;
  versionSort: string | null;
  packagePart: string | null;
}

interface ReleaseOfEntry extends EntryRelease {
  id: string;
  type: string;
  breaking: string;
  importance: number | null;
}

// The release of each chunk, in their order; null where that version is not stored or not shown.
export async function releasesOfEntries(
  ctx: Context,
  chunks: readonly EntryChunk[],
): Promise<(ReleaseOfEntry | null)[]> {
  const versioned = chunks.filter(({ versionSort }) => versionSort !== null);
  if (versioned.length === 0) return chunks.map(() => null);
  const sources = [...new Set(versioned.map(({ sourceId }) => sourceId))];
  const versions = [...new Set(versioned.flatMap(({ versionSort }) => versionSort ?? []))];
  const rows = await searchQueries(ctx)
    .selectFrom('releases')
    .select(['id', 'source_id as sourceId', 'version', 'version_sort as versionSort', 'package_part as packagePart'])
    .select(['type', 'breaking', 'importance', 'listing'])
    // The subquery uses the index of versions alone, because a condition on the listing would read rows of all versions.
    .where('seq', 'in', (eb) =>
      eb.selectFrom('releases').select('seq').where('source_id', 'in', sources).where('version_sort', 'in', versions),
    )
    .orderBy('id')
    .execute();
  const shown = rows.filter(({ listing }) => listing > 0);
  const bySource = Map.groupBy(shown, (row) => row.sourceId);
  return chunks.map((chunk) => {
    const same = bySource.get(chunk.sourceId)?.filter((release) => isSameEntry(chunk, release)) ?? [];
    // The release without a package comes first, because a file without a package describes the repository.
    return same.find(({ packagePart }) => packagePart === null) ?? same[0] ?? null;
  });
}

// Whether a chunk and a release are about the same entry. In a repository of several packages the folder of the file decides.
export function isSameEntry(chunk: EntryChunk, release: EntryRelease): boolean {
  if (chunk.version === null || chunk.sourceId !== release.sourceId) return false;
  // A version without numbers has no key to compare by.
  if (chunk.versionSort !== release.versionSort) return false;
  if (chunk.versionSort === null && chunk.version !== release.version) return false;
  const { packagePart } = release;
  const folders = chunk.path.toLowerCase().split('/').slice(0, -1);
  if (packagePart === null || folders.length === 0) return true;
  const name = packagePart.slice(packagePart.lastIndexOf('/') + 1).toLowerCase();
  return folders.includes(name);
}
