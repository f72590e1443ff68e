// Releases that retrievers found by key or number. Only here their rows are read and checked, so that an outdated index never
// makes a hidden or filtered release a hit.
import { type RawBuilder, sql } from 'kysely';
import { type Context, now } from '../../context.ts';
import type { OwnerRef, SearchFilter } from '../../domain/retrieval/retrievers.ts';
import type { ScoredText } from '../../domain/search-text/score.ts';
import { rowsByKeys } from '../../store/pipeline.ts';
import type { Queries } from '../../store/schema/index.ts';
import { RELEASE_COLUMNS, SOURCE_COLUMNS } from '../filters/columns.ts';
import { allOf, checkOf, conditionsOf } from '../filters/entry.ts';
import { ENTITY_FILTERS, LISTING_FILTERS, RELEASE_FILTERS, VERDICT_FILTERS } from '../filters/table.ts';
import { searchQueries } from '../search-connection.ts';

export interface ReleaseCandidate {
  kind: 'release';
  seq: number;
  docKey: number;
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
  return new Map(passing(ctx, rows, checkOf(RELEASE_FILTERS, filter)).map((row) => [row.seq, candidateOf(row)]));
}

// Releases with the texts that rank them; bodies only where they are requested.
export async function releaseDocuments(
  ctx: Context,
  keys: readonly number[],
  { filter, withContent }: { filter: SearchFilter; withContent: boolean },
): Promise<ReleaseDocument[]> {
  const query = ROWS[withContent ? 'withBodies' : 'withTexts'];
  const rows = checksListing(filter)
    ? passing(ctx, await query.listing(searchQueries(ctx), ctx.store.dialect, keys), checkOf(LISTING_FILTERS, filter))
    : passing(ctx, await query.all(searchQueries(ctx), ctx.store.dialect, keys), checkOf(RELEASE_FILTERS, filter));
  return rows.map((row) => ({
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

// The bodies of these releases, as far as they are read for ranking.
export async function releaseBodies(ctx: Context, keys: readonly number[]): Promise<Map<number, string>> {
  const rows = await bodiesByKey(searchQueries(ctx), ctx.store.dialect, keys);
  return new Map(rows.map((row) => [row.doc_key, row.content]));
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
  const rows = new Map(lists.flat().map((row) => [row.seq, row]));
  const newest = [...rows.values()].sort((a, b) =>
    a.feed_at === b.feed_at ? b.doc_key - a.doc_key : a.feed_at < b.feed_at ? 1 : -1,
  );
  return passing(ctx, newest, checkOf(RELEASE_FILTERS, filter)).slice(0, limit).map(candidateOf);
}

// What candidates are made of, and what decides whether they are listed. Of most searches nothing else is checked, and a value
// costs more than its row.
function listingQuery(db: Queries) {
  return db
    .selectFrom('releases as r')
    .select(['r.seq', 'r.doc_key', 'r.source_id', 'r.version', 'r.version_sort', 'r.package_part'])
    .select(['r.prerelease', 'r.listing', 'r.published_at']);
}

// The joins are left joins, although every release has a source, because a planner must not begin with the sources.
function rowQuery(db: Queries) {
  return listingQuery(db)
    .leftJoin('sources as s', 's.id', 'r.source_id')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .select(['r.org_id', 'r.product_id', 'r.effective_category as category', 'r.feed_at', 's.type as source_type'])
    .select(['r.type', 'r.breaking', 'r.importance'])
    .select(SOURCE_COLUMNS.kind.as('kind'));
}

const BODY = sql<string>`substr(r.content, 1, ${sql.lit(READABLE_CHARS)})`;
const TEXTS = ['r.title', 'r.title_generated', 'r.summary', 'r.content_chars'] as const;
// Looked up where there is one: joins cost every row as much as its own texts.
const PRODUCT_NAME = sql<string | null>`(SELECT name FROM products WHERE id = r.product_id)`.as('product_name');

function textRows(content: RawBuilder<string | null>) {
  return {
    all: rowsByKeys((db, among) => {
      return rowQuery(db)
        .select([...TEXTS, PRODUCT_NAME, content.as('content')])
        .where(among('r.doc_key'));
    }),
    listing: rowsByKeys((db, among) => {
      return listingQuery(db)
        .select([...TEXTS, PRODUCT_NAME, content.as('content')])
        .where(among('r.doc_key'));
    }),
  };
}

const rowsBySeq = rowsByKeys((db, among) => rowQuery(db).where(among('r.seq')));
const ROWS = { withTexts: textRows(sql`NULL`), withBodies: textRows(BODY) };
const bodiesByKey = rowsByKeys((db, among) => {
  return db.selectFrom('releases as r').select('r.doc_key').select(BODY.as('content')).where(among('r.doc_key'));
});

type ListingRow = Awaited<ReturnType<ReturnType<typeof listingQuery>['execute']>>[number];

// Whether the filter says nothing about what a release is about or belongs to.
function checksListing(filter: SearchFilter): boolean {
  return [...ENTITY_FILTERS, ...VERDICT_FILTERS].every((entry) => entry.check(filter) === null);
}

// Filters are checked here and not in the statement, which might then use the index of a filter instead of the keys.
function passing<R extends ListingRow>(ctx: Context, rows: readonly R[], check: (row: R) => boolean): R[] {
  const present = now(ctx);
  return rows.filter((row) => row.listing > 0 && (row.published_at ?? '') <= present && check(row));
}

function candidateOf(row: ListingRow): ReleaseCandidate {
  return {
    kind: 'release',
    seq: row.seq,
    docKey: row.doc_key,
    sourceId: row.source_id,
    version: row.version,
    versionSort: row.version_sort,
    packagePart: row.package_part,
  };
}
