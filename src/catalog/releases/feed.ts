// Every release feed of the service is read here: newest first, by keyset, on the index of its scope.
import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import type { ReleaseFeed } from '../../contract/release.ts';
import { decodeFeedCursor, encodeCursor } from '../../domain/cursor.ts';
import type { ReleaseRow } from '../../store/schema.ts';
import {
  applyFilter,
  type Branch,
  columns,
  type FeedFilter,
  type FeedKey,
  type FeedPage,
  type FeedRow,
  newestFirst,
  type ReleaseQuery,
  upperBound,
} from './feed-query.ts';
import { searchFeed } from './feed-search.ts';
import { feedItems } from './item.ts';

const ALL: readonly Branch[] = [{ column: null, value: '' }];

export async function readFeed(
  ctx: Context,
  branches: readonly Branch[] | null,
  filter: FeedFilter,
  page: FeedPage,
): Promise<ReleaseFeed> {
  const after = readCursor(page.cursor);
  const rows = await feedRows(ctx, branches ?? ALL, filter, { ...page, limit: page.limit + 1 }, after);
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  const nextCursor = rows.length > page.limit && last ? cursorOf(last) : null;
  return { releases: await feedItems(ctx, shown), pagination: { nextCursor, limit: page.limit } };
}

export function readCursor(cursor: string | undefined): FeedKey | null {
  if (cursor === undefined) return null;
  const key = decodeFeedCursor(cursor);
  if (!key) throw new ApiError('invalid_cursor', 'the cursor is not one that this service gave out');
  return { feedAt: key[0] ?? '', fetchedAt: key[1], id: key[2] };
}

export function cursorOf(row: Pick<ReleaseRow, 'feed_at' | 'fetched_at' | 'id'>): string {
  return encodeCursor([row.feed_at || null, row.fetched_at, row.id]);
}

export async function feedRows(
  ctx: Context,
  branches: readonly Branch[],
  filter: FeedFilter,
  page: FeedPage,
  after: FeedKey | null,
): Promise<FeedRow[]> {
  if (branches.length === 0) return [];
  if (filter.q) return searchFeed(ctx, branches, filter, page, after);
  const parts = branches.flatMap((branch) => listings(filter).map((listing) => ({ branch, listing })));
  const [only] = parts;
  const rows =
    parts.length === 1 && only
      ? await branchQuery(ctx, only.branch, only.listing, filter, after)
          .select(columns(page.includeContent ?? true))
          .orderBy('r.feed_at', 'desc')
          .orderBy('r.fetched_at', 'desc')
          .orderBy('r.id', 'desc')
          .limit(page.limit)
          .offset(page.offset ?? 0)
          .execute()
      : await mergedRows(ctx, parts, filter, page, after);
  return rows as unknown as FeedRow[];
}

export async function countFeed(ctx: Context, branches: readonly Branch[], filter: FeedFilter): Promise<number> {
  let total = 0;
  for (const branch of branches) {
    for (const listing of listings(filter)) {
      const row = await branchQuery(ctx, branch, listing, filter, null)
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirst();
      total += Number(row?.total ?? 0);
    }
  }
  return total;
}

function listings(filter: FeedFilter): number[] {
  const sign = filter.hidden ? -1 : 1;
  return filter.includeCoverage ? [2 * sign, sign] : [2 * sign];
}

type Part = { branch: Branch; listing: number };
const UNION_TERMS = 100;

// Each branch gives its own newest rows from its own index; the newest of all of them are read whole.
async function mergedRows(
  ctx: Context,
  parts: readonly Part[],
  filter: FeedFilter,
  page: FeedPage,
  after: FeedKey | null,
): Promise<unknown[]> {
  const wanted = page.limit + (page.offset ?? 0);
  const keys: { id: string; feed_at: string; fetched_at: string }[] = [];
  for (let start = 0; start < parts.length; start += UNION_TERMS) {
    const terms = parts
      .slice(start, start + UNION_TERMS)
      .map(
        ({ branch, listing }) =>
          sql`SELECT * FROM (${branchQuery(ctx, branch, listing, filter, after)
            .select(['r.id', 'r.feed_at', 'r.fetched_at'])
            .orderBy('r.feed_at', 'desc')
            .orderBy('r.fetched_at', 'desc')
            .orderBy('r.id', 'desc')
            .limit(wanted)}) AS part`,
      );
    const { rows } = await sql<{ id: string; feed_at: string; fetched_at: string }>`${sql.join(terms, sql` UNION `)}
      ORDER BY feed_at DESC, fetched_at DESC, id DESC LIMIT ${wanted}`.execute(queries(ctx));
    keys.push(...rows);
  }
  keys.sort(newestFirst);
  const ids = [...new Set(keys.map((key) => key.id))].slice(page.offset ?? 0, wanted);
  if (ids.length === 0) return [];
  const found = await queries(ctx)
    .selectFrom('releases as r')
    .select(columns(page.includeContent ?? true))
    .where('r.id', 'in', ids)
    .execute();
  return found.sort(newestFirst);
}

function branchQuery(
  ctx: Context,
  branch: Branch,
  listing: number,
  filter: FeedFilter,
  after: FeedKey | null,
): ReleaseQuery {
  let query = queries(ctx).selectFrom('releases as r').where('r.listing', '=', listing) as unknown as ReleaseQuery;
  if (branch.column) query = query.where(`r.${branch.column}`, '=', branch.value);
  query = withinWindow(query, upperBound(ctx, filter), filter, after);
  return applyFilter(query, filter);
}

// With a cursor at or below the bound the bound says nothing new, and one range is what the index can use.
function withinWindow(query: ReleaseQuery, upper: string, filter: FeedFilter, after: FeedKey | null): ReleaseQuery {
  let bounded = query;
  if (after && after.feedAt <= upper) {
    bounded = bounded.where((eb) =>
      eb(eb.refTuple('r.feed_at', 'r.fetched_at', 'r.id'), '<', eb.tuple(after.feedAt, after.fetchedAt, after.id)),
    );
  } else {
    bounded = bounded.where('r.feed_at', '<=', upper);
  }
  if (!filter.since && !filter.until) return bounded;
  // A window is one of dates: an undated release has an order time at most.
  bounded = bounded.where('r.published_at', 'is not', null);
  return filter.since ? bounded.where('r.feed_at', '>=', filter.since) : bounded.where('r.feed_at', '>', '');
}
