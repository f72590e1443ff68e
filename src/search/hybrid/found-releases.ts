// The releases that legs name by key or number, with what decides whether and where they are shown. Each leg has applied
// the filters already; here they are applied to the rows as they are now.
import { sql } from 'kysely';
import { type Context, now } from '../../context.ts';
import type { SearchFilter } from '../../domain/search-legs.ts';
import { rowsByKeys } from '../../store/rows-by-keys.ts';
import type { Queries } from '../../store/schema.ts';
import { searchQueries } from '../lexical/queries.ts';

export interface FoundRelease {
  kind: 'release';
  seq: number;
  docKey: number;
  id: string;
  sourceId: string;
  versionSort: string | null;
  packagePart: string | null;
}

export async function releasesByKey(
  ctx: Context,
  keys: readonly number[],
  filter: SearchFilter,
): Promise<Map<number, FoundRelease>> {
  const rows = await factsByKey(searchQueries(ctx), ctx.store.dialect, keys);
  return new Map(shownAmong(ctx, rows, filter).map((found) => [found.docKey, found]));
}

export async function releasesBySeq(
  ctx: Context,
  seqs: readonly number[],
  filter: SearchFilter,
): Promise<Map<number, FoundRelease>> {
  const rows = await factsBySeq(searchQueries(ctx), ctx.store.dialect, seqs);
  return new Map(shownAmong(ctx, rows, filter).map((found) => [found.seq, found]));
}

export interface NamedOwner {
  column: 'org_id' | 'product_id' | 'source_id';
  id: string;
}

/** The newest releases of what was named, newest first. */
export async function newestReleases(
  ctx: Context,
  owners: readonly NamedOwner[],
  { filter, limit }: { filter: SearchFilter; limit: number },
): Promise<FoundRelease[]> {
  const lists = await Promise.all(
    owners.map(({ column, id }) => {
      let query = factQuery(searchQueries(ctx))
        .where(`r.${column}`, '=', id)
        .where('r.listing', '=', 2)
        .where('r.feed_at', '<=', earlier(filter.until, now(ctx)));
      if (filter.since !== undefined || filter.until !== undefined) {
        query = query.where('r.published_at', 'is not', null).where('r.feed_at', '>=', filter.since ?? '0');
      }
      if (!filter.includePrereleases) query = query.where('r.prerelease', '=', 0);
      return query
        .orderBy('r.feed_at', 'desc')
        .orderBy('r.fetched_at', 'desc')
        .orderBy('r.id', 'desc')
        .limit(limit)
        .execute();
    }),
  );
  const rows = new Map(lists.flat().map((row) => [row.id, row]));
  const newest = [...rows.values()].sort((a, b) =>
    a.feed_at === b.feed_at ? b.doc_key - a.doc_key : a.feed_at < b.feed_at ? 1 : -1,
  );
  return shownAmong(ctx, newest, filter).slice(0, limit);
}

// Left joins, although every release has a source: a planner must not begin with the sources.
function factQuery(db: Queries) {
  return db
    .selectFrom('releases as r')
    .leftJoin('sources as s', 's.id', 'r.source_id')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .select(['r.seq', 'r.doc_key', 'r.id', 'r.source_id', 'r.org_id', 'r.product_id', 'r.effective_category'])
    .select(['r.version_sort', 'r.package_part', 'r.type', 'r.breaking', 'r.importance', 'r.prerelease'])
    .select(['r.listing', 'r.published_at', 'r.feed_at', 's.type as source_type'])
    .select(sql<string | null>`COALESCE(s.kind, p.kind)`.as('kind'));
}

const factsByKey = rowsByKeys((db, among) => factQuery(db).where(among('r.doc_key')));
const factsBySeq = rowsByKeys((db, among) => factQuery(db).where(among('r.seq')));

type Fact = Awaited<ReturnType<ReturnType<typeof factQuery>['execute']>>[number];

function shownAmong(ctx: Context, rows: readonly Fact[], filter: SearchFilter): FoundRelease[] {
  const passes = releaseCheck(filter, now(ctx));
  return rows.filter(passes).map((row) => ({
    kind: 'release',
    seq: row.seq,
    docKey: row.doc_key,
    id: row.id,
    sourceId: row.source_id,
    versionSort: row.version_sort,
    packagePart: row.package_part,
  }));
}

function releaseCheck(filter: SearchFilter, present: string): (row: Fact) => boolean {
  const listings = filter.includeCoverage ? [2, 1] : [2];
  const windowed = filter.since !== undefined || filter.until !== undefined;
  const until = earlier(filter.until, present);
  return (row) =>
    listings.includes(row.listing) &&
    (row.published_at === null ? !windowed : row.published_at <= until && row.published_at >= (filter.since ?? '')) &&
    (filter.includePrereleases || row.prerelease === 0) &&
    isAmong(filter.orgIds, row.org_id) &&
    isAmong(filter.productIds, row.product_id) &&
    isAmong(filter.sourceIds, row.source_id) &&
    isAmong(filter.categories, row.effective_category) &&
    isAmong(filter.kinds, row.kind) &&
    isAmong(filter.sourceTypes, row.source_type) &&
    !filter.excludedSourceTypes?.includes(row.source_type ?? '') &&
    meetsVerdicts(filter, row);
}

/** The filters that only a release can meet. */
export function meetsVerdicts(
  filter: SearchFilter,
  row: { type: string; breaking: string; importance: number | null },
): boolean {
  return (
    (filter.type === undefined || row.type === filter.type) &&
    (filter.breaking === undefined || filter.breaking.includes(row.breaking)) &&
    (filter.minImportance === undefined || (row.importance ?? 0) >= filter.minImportance)
  );
}

export function isAmong(allowed: readonly string[] | undefined, value: string | null): boolean {
  return allowed === undefined || (value !== null && allowed.includes(value));
}

function earlier(bound: string | undefined, present: string): string {
  return bound !== undefined && bound < present ? bound : present;
}
