// Reads every release feed of the service: newest first, by keyset, on the index of its scope.
import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import type { ReleaseFeed } from '../../contract/release.ts';
import { decodeFeedCursor, encodeCursor } from '../../domain/cursor.ts';
import { feedItems } from '../release-items.ts';
import { type Branch, branchQuery, type FeedRequest, listings } from './feed-query.ts';
import type { FeedKey, FeedRow, RowKey } from './feed-rows.ts';
import { searchFeed } from './feed-search.ts';
import { readRanges } from './read-ranges.ts';

const ALL: readonly Branch[] = [{ column: null, value: '' }];

type FeedInput = Omit<FeedRequest, 'branches' | 'after'> & { branches: readonly Branch[] | null };

// Null branches stand for all releases.
export async function readFeed(ctx: Context, { branches, filter, page }: FeedInput): Promise<ReleaseFeed> {
  const after = readCursor(page.cursor);
  const larger = { ...page, limit: page.limit + 1 };
  const rows = await feedRows(ctx, { branches: branches ?? ALL, filter, page: larger, after });
  const shown = rows.slice(0, page.limit);
  const last = shown.at(-1);
  const nextCursor = rows.length > page.limit && last ? cursorOf(last) : null;
  return { releases: await feedItems(ctx, shown), pagination: { nextCursor, limit: page.limit } };
}

export function readCursor(cursor: string | undefined): FeedKey | null {
  if (cursor === undefined) return null;
  const key = decodeFeedCursor(cursor);
  if (!key) throw new ApiError('invalid_cursor', 'the cursor is not one that this service gave out');
  return { feedAt: key[0] ?? '', feedVersion: key[1], id: key[2] };
}

export function cursorOf(row: RowKey): string {
  return encodeCursor([row.feed_at || null, row.feed_version, row.id]);
}

export async function feedRows(ctx: Context, request: FeedRequest): Promise<FeedRow[]> {
  if (request.branches.length === 0) return [];
  const { q } = request.filter;
  // The full-text index decides what matches, and it is updated separately from the releases.
  if (q || !request.branches.every(isOwned)) ctx.answer.showsRegistry = true;
  return q ? searchFeed(ctx, request) : readRanges(ctx, request);
}

// Whether the branch is that of an org, product or source, on which the response depends.
function isOwned({ column }: Branch): boolean {
  return column === 'org_id' || column === 'product_id' || column === 'source_id';
}

// The rows with their content.
export async function wholeRows(ctx: Context, request: FeedRequest): Promise<(FeedRow & { content: string })[]> {
  const rows = await feedRows(ctx, { ...request, page: { ...request.page, includeContent: true } });
  return rows.map((row) => ({ ...row, content: row.content ?? '' }));
}

export async function countFeed(
  ctx: Context,
  { branches, filter }: Pick<FeedRequest, 'branches' | 'filter'>,
): Promise<number> {
  let total = 0;
  for (const branch of branches) {
    for (const listing of listings(filter)) {
      const row = await branchQuery(ctx, { branch, listing }, { filter, after: null })
        .select(({ fn }) => fn.countAll<number>().as('total'))
        .executeTakeFirst();
      total += Number(row?.total ?? 0);
    }
  }
  return total;
}
