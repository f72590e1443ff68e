// A feed with `q`: the full-text index is walked from the newest key down, and every hit is checked on its row.
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { firstKeyOfMinute, lastKeyOfMinute, minuteOf, minuteOfKey } from '../../domain/doc-key.ts';
import type { FeedMatch } from '../../ports.ts';
import {
  applyFilter,
  type Branch,
  branchColumn,
  columns,
  type FeedFilter,
  type FeedRequest,
  type FeedRow,
  isAfter,
  listings,
  newestFirst,
  releaseQuery,
  upperBound,
} from './feed-query.ts';
import { searchManyBranches } from './feed-search-many.ts';

const BATCH = 256;
const SAME_MINUTE = 100_000;
// Each branch asks the index anew; more of them are asked for together.
const FEW_BRANCHES = 12;

export async function searchFeed(ctx: Context, request: FeedRequest): Promise<FeedRow[]> {
  const { branches, filter, page, after } = request;
  if (branches.length > FEW_BRANCHES) return searchManyBranches(ctx, request);
  const wanted = page.limit + (page.offset ?? 0);
  const found = new Map<string, FeedRow>();
  for (const branch of branches) {
    const rows: FeedRow[] = [];
    const search = { ...request, branch, wanted };
    if (after === null || after.feedAt !== '') await collect(ctx, { ...search, timed: true }, rows);
    if (rows.length < wanted && !isWindowed(filter)) await collect(ctx, { ...search, timed: false }, rows);
    for (const row of rows) found.set(row.id, row);
  }
  return [...found.values()].sort(newestFirst).slice(page.offset ?? 0, wanted);
}

function isWindowed({ since, until }: FeedFilter): boolean {
  return Boolean(since || until);
}

interface BranchSearch extends Omit<FeedRequest, 'branches'> {
  branch: Branch;
  // First what has an order time, then the rest.
  timed: boolean;
  wanted: number;
}

async function collect(ctx: Context, search: BranchSearch, into: FeedRow[]): Promise<void> {
  const { branch, filter, timed, wanted } = search;
  const match: FeedMatch = {
    q: filter.q ?? '',
    scope: scopeOf(branch),
    dates: timed ? (isWindowed(filter) ? 'dated' : 'any') : 'undated',
    includePrereleases: filter.includePrereleases ?? false,
    includeCoverage: filter.includeCoverage ?? false,
    minKey: timed && filter.since ? firstKeyOfMinute(minuteOf(filter.since)) : 0,
    maxKey: topKey(ctx, search),
    limit: BATCH,
  };
  while (into.length < wanted && match.maxKey >= match.minKey) {
    const keys = await ctx.ports.fullText.match(ctx, match);
    const last = keys.at(-1);
    if (last === undefined) return;
    const complete = keys.length < match.limit;
    if (!complete) keys.push(...(await restOfMinute(ctx, match, last)));
    into.push(...(await rowsOfKeys(ctx, keys, search)));
    if (complete) return;
    match.maxKey = firstKeyOfMinute(minuteOfKey(last)) - 1;
  }
}

// Rows of one minute are ordered by their full timestamps, so a batch must not end inside a minute.
function restOfMinute(ctx: Context, match: FeedMatch, last: number): Promise<number[]> {
  const minKey = Math.max(match.minKey, firstKeyOfMinute(minuteOfKey(last)));
  return ctx.ports.fullText.match(ctx, { ...match, minKey, maxKey: last - 1, limit: SAME_MINUTE });
}

function topKey(ctx: Context, { filter, after, timed }: BranchSearch): number {
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

async function rowsOfKeys(ctx: Context, keys: readonly number[], search: BranchSearch): Promise<FeedRow[]> {
  const { branch, filter, page, timed } = search;
  let query = releaseQuery(ctx)
    .where('r.doc_key', 'in', [...keys])
    .where('r.listing', 'in', listings(filter));
  if (branch.column) query = query.where(sql<boolean>`${branchColumn(branch.column)} = ${branch.value}`);
  query = timed
    ? query.where('r.feed_at', '<=', upperBound(ctx, filter)).where('r.feed_at', '>=', filter.since || '0')
    : query.where('r.feed_at', '=', '');
  if (isWindowed(filter)) query = query.where('r.published_at', 'is not', null);
  const rows = await applyFilter(query, filter)
    .select(columns(page.includeContent ?? true))
    .execute();
  return rows.filter((row) => isAfter(search, row));
}
