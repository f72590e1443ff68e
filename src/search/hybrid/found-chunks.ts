// The chunks that legs name, with what decides whether and where they are shown.
import { sql } from 'kysely';
import { visibleSource } from '../../catalog/visible.ts';
import type { Context } from '../../context.ts';
import type { SearchFilter } from '../../domain/search-legs.ts';
import { versionSort } from '../../domain/versions/index.ts';
import { rowsByKeys } from '../../store/rows-by-keys.ts';
import type { Queries } from '../../store/schema.ts';
import { searchQueries } from '../lexical/queries.ts';
import { releasesOfVersions, type VersionedChunk } from './chunk-releases.ts';
import { isAmong, meetsVerdicts } from './found-releases.ts';

export interface FoundChunk extends VersionedChunk {
  kind: 'chunk';
  seq: number;
  docKey: number;
}

export async function chunksByKey(
  ctx: Context,
  keys: readonly number[],
  filter: SearchFilter,
): Promise<Map<number, FoundChunk>> {
  const rows = await factsByKey(searchQueries(ctx), ctx.store.dialect, keys);
  return new Map((await shownAmong(ctx, rows, filter)).map((found) => [found.docKey, found]));
}

export async function chunksBySeq(
  ctx: Context,
  seqs: readonly number[],
  filter: SearchFilter,
): Promise<Map<number, FoundChunk>> {
  const rows = await factsBySeq(searchQueries(ctx), ctx.store.dialect, seqs);
  return new Map((await shownAmong(ctx, rows, filter)).map((found) => [found.seq, found]));
}

// Left joins, although every chunk has a source: a planner must not begin with the sources.
function factQuery(db: Queries) {
  return db
    .selectFrom('changelog_chunks as c')
    .leftJoin('sources as s', 's.id', 'c.source_id')
    .leftJoin('orgs as o', 'o.id', 's.org_id')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .select(['c.seq', 'c.doc_key', 'c.source_id', 'c.path', 'c.version', 's.org_id', 's.product_id'])
    .select('s.type as source_type')
    .select(sql<string | null>`COALESCE(s.kind, p.kind)`.as('kind'))
    .select(sql<string | null>`COALESCE(p.category, o.category)`.as('category'))
    .select(sql<number>`CASE WHEN ${visibleSource()} THEN 1 ELSE 0 END`.as('visible'));
}

const factsByKey = rowsByKeys((db, among) => factQuery(db).where(among('c.doc_key')));
const factsBySeq = rowsByKeys((db, among) => factQuery(db).where(among('c.seq')));

type Fact = Awaited<ReturnType<ReturnType<typeof factQuery>['execute']>>[number];

async function shownAmong(ctx: Context, rows: readonly Fact[], filter: SearchFilter): Promise<FoundChunk[]> {
  const found = rows
    .filter((row) => passes(row, filter))
    .map(
      (row): FoundChunk => ({
        kind: 'chunk',
        seq: row.seq,
        docKey: row.doc_key,
        sourceId: row.source_id,
        path: row.path,
        // Only the few that come onto the page are asked for it.
        get versionSort() {
          return row.version === null ? null : versionSort(row.version);
        },
      }),
    );
  if (filter.type === undefined && filter.breaking === undefined && filter.minImportance === undefined) return found;
  // A chunk has no verdict of its own: that of the release which it tells of counts.
  const releases = await releasesOfVersions(ctx, found);
  return found.filter((_, index) => {
    const release = releases[index];
    return release !== null && release !== undefined && meetsVerdicts(filter, release);
  });
}

function passes(row: Fact, filter: SearchFilter): boolean {
  return (
    row.visible === 1 &&
    isAmong(filter.orgIds, row.org_id) &&
    isAmong(filter.productIds, row.product_id) &&
    isAmong(filter.sourceIds, row.source_id) &&
    isAmong(filter.categories, row.category) &&
    isAmong(filter.kinds, row.kind) &&
    isAmong(filter.sourceTypes, row.source_type) &&
    !filter.excludedSourceTypes?.includes(row.source_type ?? '')
  );
}
