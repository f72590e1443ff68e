// Every release feed of the service is read here: newest first, by keyset, on the index of its scope.
import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import type { ReleaseFeed } from '../../contract/release.ts';
import { decodeFeedCursor, encodeCursor } from '../../domain/cursor.ts';
import type { ReleaseRow } from '../../store/schema.ts';
import {
  type Branch,
  branchQuery,
  type FeedFilter,
  type FeedKey,
  type FeedPage,
  type FeedRow,
  listings,
} from './feed-query.ts';
import { searchFeed } from './feed-search.ts';
import { readRanges } from './read-ranges.ts';
import { feedItems } from './release-fields.ts';

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
  return readRanges(ctx, branches, filter, page, after);
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
