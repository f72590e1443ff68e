// A feed with `q`: the full-text index is walked from the newest key down, and every hit is checked on its row.
import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import { firstKeyOfMinute, lastKeyOfMinute, minuteOf, minuteOfKey } from '../../domain/doc-key.ts';
import type { FeedMatch } from '../../ports.ts';
import {
  applyFilter,
  type Branch,
  branchColumn,
  columns,
  type FeedFilter,
  type FeedKey,
  type FeedPage,
  type FeedRow,
  newestFirst,
  upperBound,
} from './feed-query.ts';
import { searchManyBranches } from './feed-search-many.ts';

const BATCH = 256;
const SAME_MINUTE = 100_000;
// Each branch asks the index anew; more of them are asked for together.
const FEW_BRANCHES = 12;

export async function searchFeed(
  ctx: Context,
  branches: readonly Branch[],
  filter: FeedFilter,
  page: FeedPage,
  after: FeedKey | null,
): Promise<FeedRow[]> {
  const wanted = page.limit + (page.offset ?? 0);
  if (branches.length > FEW_BRANCHES) return searchManyBranches(ctx, branches, filter, page, after);
  const found = new Map<string, FeedRow>();
  for (const branch of branches) {
    const rows: FeedRow[] = [];
    if (after === null || after.feedAt !== '') await collect(ctx, branch, filter, page, after, true, wanted, rows);
    if (rows.length < wanted && !isWindowed(filter))
      await collect(ctx, branch, filter, page, after, false, wanted, rows);
    for (const row of rows) found.set(row.id, row);
  }
  return [...found.values()].sort(newestFirst).slice(page.offset ?? 0, wanted);
}

function isWindowed({ since, until }: FeedFilter): boolean {
  return Boolean(since || until);
}

// First what has an order time (`timed`), then the rest.
async function collect(
  ctx: Context,
  branch: Branch,
  filter: FeedFilter,
  page: FeedPage,
  after: FeedKey | null,
  timed: boolean,
  wanted: number,
  into: FeedRow[],
): Promise<void> {
  const match: FeedMatch = {
    q: filter.q ?? '',
    scope: scopeOf(branch),
    dates: timed ? (isWindowed(filter) ? 'dated' : 'any') : 'undated',
    includePrereleases: filter.includePrereleases ?? false,
    includeCoverage: filter.includeCoverage ?? false,
    minKey: timed && filter.since ? firstKeyOfMinute(minuteOf(filter.since)) : 0,
    maxKey: topKey(ctx, filter, after, timed),
    limit: BATCH,
  };
  while (into.length < wanted && match.maxKey >= match.minKey) {
    const keys = await ctx.ports.fullText.match(ctx, match);
    const last = keys.at(-1);
    if (last === undefined) return;
    const complete = keys.length < match.limit;
    if (!complete) keys.push(...(await restOfMinute(ctx, match, last)));
    into.push(...(await rowsOfKeys(ctx, keys, branch, filter, page, after, timed)));
    if (complete) return;
    match.maxKey = firstKeyOfMinute(minuteOfKey(last)) - 1;
  }
}

// Rows of one minute are ordered by their full timestamps, so a batch must not end inside a minute.
function restOfMinute(ctx: Context, match: FeedMatch, last: number): Promise<number[]> {
  const minKey = Math.max(match.minKey, firstKeyOfMinute(minuteOfKey(last)));
  return ctx.ports.fullText.match(ctx, { ...match, minKey, maxKey: last - 1, limit: SAME_MINUTE });
}

function topKey(ctx: Context, filter: FeedFilter, after: FeedKey | null, timed: boolean): number {
  const top = timed ? upperBound(ctx, filter) : ctx.clock().toISOString();
  const cursorAt = timed ? after?.feedAt : after?.feedAt === '' ? after.fetchedAt : undefined;
  return lastKeyOfMinute(minuteOf(cursorAt && cursorAt < top ? cursorAt : top));
}

function scopeOf(branch: Branch): FeedMatch['scope'] {
  switch (branch.column) {
    case 'org_id':
      return { org: branch.value };
    case 'product_id':
      return { product: branch.value };
    case 'source_id':
      return { source: branch.value };
    case 'effective_category':
      return { category: branch.value };
    default:
      return {};
  }
}

async function rowsOfKeys(
  ctx: Context,
  keys: readonly number[],
  branch: Branch,
  filter: FeedFilter,
  page: FeedPage,
  after: FeedKey | null,
  timed: boolean,
): Promise<FeedRow[]> {
  const sign = filter.hidden ? -1 : 1;
  let query = queries(ctx)
    .selectFrom('releases as r')
    .where('r.doc_key', 'in', [...keys])
    .where('r.listing', 'in', filter.includeCoverage ? [2 * sign, sign] : [2 * sign]);
  if (branch.column) query = query.where(sql<boolean>`${branchColumn(branch.column)} = ${branch.value}`);
  query = timed
    ? query.where('r.feed_at', '<=', upperBound(ctx, filter)).where('r.feed_at', '>=', filter.since || '0')
    : query.where('r.feed_at', '=', '');
  if (isWindowed(filter)) query = query.where('r.published_at', 'is not', null);
  const rows = (await applyFilter(query as never, filter)
    .select(columns(page.includeContent ?? true))
    .execute()) as unknown as FeedRow[];
  const cursor = after && { feed_at: after.feedAt, fetched_at: after.fetchedAt, id: after.id };
  return cursor ? rows.filter((row) => newestFirst(cursor, row) < 0) : rows;
}
