// Releases that retrievers found by key or number. Only here their rows are read and checked, so that an outdated index never
// makes a hidden or filtered release a hit.
import { type RawBuilder, sql } from 'kysely';
import { type Context, now } from '../../context.ts';
import type { OwnerRef, SearchFilter } from '../../domain/retrieval/retrievers.ts';
import type { ScoredText } from '../../domain/search-text/score.ts';
import { rowsByKeys } from '../../store/keyed-queries.ts';
import type { Queries } from '../../store/schema/index.ts';
import { RELEASE_COLUMNS, SOURCE_COLUMNS } from '../filters/columns.ts';
import { allOf, checkOf, conditionsOf } from '../filters/entry.ts';
import { LISTING_FILTERS, RELEASE_FILTERS } from '../filters/table.ts';
import { searchQueries } from '../search-connection.ts';

export interface ReleaseCandidate {
  kind: 'release';
  seq: number;
  docKey: number;
  id: string;
  sourceId: string;
  version: string | null;
  versionSort: string | null;
  packagePart: string | null;
}

interface ReleaseDocument {
  candidate: ReleaseCandidate;
  dated: boolean;
  text: ScoredText;
}

// The most characters of a body that are read for ranking.
export const READABLE_CHARS = 4_000;

export async function releasesBySeq(
  ctx: Context,
  seqs: readonly number[],
  filter: SearchFilter,
): Promise<Map<number, ReleaseCandidate>> {
  const rows = await rowsBySeq(searchQueries(ctx), ctx.store.dialect, seqs);
  return new Map(passing(ctx, rows, filter).map((row) => [row.seq, candidateOf(row)]));
}

// Releases with the texts that rank them; bodies only where they are requested.
export async function releaseDocuments(
  ctx: Context,
  keys: readonly number[],
  { filter, withContent }: { filter: SearchFilter; withContent: boolean },
): Promise<ReleaseDocument[]> {
  const read = withContent ? rowsWithBodies : rowsWithTexts;
  const rows = await read(searchQueries(ctx), ctx.store.dialect, keys);
  return passing(ctx, rows, filter).map((row) => ({
    candidate: candidateOf(row),
    dated: row.published_at !== null,
    text: {
      title: row.title_generated === null ? row.title : `${row.title}\n${row.title_generated}`,
      version: [row.version, row.package_part, row.product_name].filter((name) => name !== null).join('\n'),
      ownVersion: row.version,
      summary: row.summary,
      content: row.content,
      contentLength: row.content_chars,
    },
  }));
}

// The newest releases of the given owners, newest first.
export async function newestReleases(
  ctx: Context,
  owners: readonly OwnerRef[],
  { filter, limit }: { filter: SearchFilter; limit: number },
): Promise<ReleaseCandidate[]> {
  const present = now(ctx);
  // The query has only one upper bound, because with two SQLite may scan the index from the later one.
  const latest = filter.until !== undefined && filter.until < present ? filter.until : present;
  const listed = allOf(conditionsOf(LISTING_FILTERS, filter, RELEASE_COLUMNS));
  const lists = await Promise.all(
    owners.map(({ column, id }) => {
      return rowQuery(searchQueries(ctx))
        .where(`r.${column}`, '=', id)
        .where('r.listing', '=', 2)
        .where('r.feed_at', '<=', latest)
        .where(listed)
        .orderBy('r.feed_at', 'desc')
        .orderBy('r.feed_version', 'desc')
        .orderBy('r.id', 'desc')
        .limit(limit)
        .execute();
    }),
  );
  const rows = new Map(lists.flat().map((row) => [row.id, row]));
  const newest = [...rows.values()].sort((a, b) =>
    a.feed_at === b.feed_at ? b.doc_key - a.doc_key : a.feed_at < b.feed_at ? 1 : -1,
  );
  return passing(ctx, newest, filter).slice(0, limit).map(candidateOf);
}

// The joins are left joins, although every release has a source, because a planner must not begin with the sources.
function rowQuery(db: Queries) {
  return db
    .selectFrom('releases as r')
    .leftJoin('sources as s', 's.id', 'r.source_id')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .select([
      'r.seq',
      'r.doc_key',
      'r.id',
      'r.source_id',
      'r.org_id',
      'r.product_id',
      'r.effective_category as category',
    ])
    .select(['r.version', 'r.version_sort', 'r.package_part', 'r.type', 'r.breaking', 'r.importance', 'r.prerelease'])
    .select(['r.listing', 'r.published_at', 'r.feed_at', 's.type as source_type'])
    .select(SOURCE_COLUMNS.kind.as('kind'));
}

function textQuery(db: Queries, content: RawBuilder<string | null>) {
  return rowQuery(db)
    .select(['r.title', 'r.title_generated', 'r.summary', 'r.content_chars', 'p.name as product_name'])
    .select(content.as('content'));
}

const rowsBySeq = rowsByKeys((db, among) => rowQuery(db).where(among('r.seq')));
const rowsWithTexts = rowsByKeys((db, among) => textQuery(db, sql`NULL`).where(among('r.doc_key')));
const rowsWithBodies = rowsByKeys((db, among) =>
  textQuery(db, sql`substr(r.content, 1, ${sql.lit(READABLE_CHARS)})`).where(among('r.doc_key')),
);

type ReleaseCandidateRow = Awaited<ReturnType<ReturnType<typeof rowQuery>['execute']>>[number];

// Filters are checked here and not in the statement, which might then use the index of a filter instead of the keys.
function passing<R extends ReleaseCandidateRow>(ctx: Context, rows: readonly R[], filter: SearchFilter): R[] {
  const present = now(ctx);
  const check = checkOf(RELEASE_FILTERS, filter);
  return rows.filter((row) => row.listing > 0 && (row.published_at ?? '') <= present && check(row));
}

function candidateOf(row: ReleaseCandidateRow): ReleaseCandidate {
  return {
    kind: 'release',
    seq: row.seq,
    docKey: row.doc_key,
    id: row.id,
    sourceId: row.source_id,
    version: row.version,
    versionSort: row.version_sort,
    packagePart: row.package_part,
  };
}
