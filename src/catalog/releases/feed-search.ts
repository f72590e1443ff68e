// A feed with `q`: the full-text index is walked from the newest key down, and every hit is checked on its row. A scope
// of few releases is walked itself, and when a filter leaves very few the index is queried for each of them.
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { firstKeyOfMinute, lastKeyOfMinute, minuteOf, minuteOfKey } from '../../domain/search-text/doc-key.ts';
import type { FeedMatch } from '../../ports.ts';
import { filtersFacets } from './facet.ts';
import {
  applyFilter,
  type Branch,
  branchColumn,
  branchQuery,
  type FeedFilter,
  type FeedRequest,
  hasSortOfSource,
  indexFilter,
  keyedReleases,
  listings,
  upperBound,
} from './feed-query.ts';
import { type FeedRow, isAfter, newestFirst, shownColumns } from './feed-rows.ts';
import { searchManyBranches } from './feed-search-many.ts';
import { rowsOfIds } from './rare-releases.ts';
import { readRanges } from './read-ranges.ts';
import { walkFeed } from './walk-feed.ts';

// Rows are checked after the index has returned them; most pass.
const FEWEST_KEYS = 32;
const MOST_KEYS = 256;
const SPARE = 1.15;
const SAME_MINUTE = 100_000;
// Each branch is a query of the index; more branches than this share one query.
const FEW_BRANCHES = 12;
// In a scope with fewer releases the index steps over more entries of a common word than a skip costs.
const NARROW = 600;
// For this few releases the index is queried one by one.
const FEW_ROWS = 8;

export async function searchFeed(ctx: Context, request: FeedRequest): Promise<FeedRow[]> {
  const { branches, filter, page, after } = request;
  if (branches.length > FEW_BRANCHES) return searchManyBranches(ctx, request);
  const few = await searchFew(ctx, request);
  if (few) return few;
  const wanted = page.limit + (page.offset ?? 0);
  const found = new Map<string, FeedRow>();
  for (const branch of branches) {
    if (await isNarrow(ctx, branch, filter)) {
      for (const row of await searchNarrow(ctx, request, { branch, wanted })) found.set(row.id, row);
      continue;
    }
    const rows: FeedRow[] = [];
    const search = { ...request, branch, wanted };
    if (after === null || after.feedAt !== '') await collect(ctx, { ...search, timed: true }, rows);
    if (rows.length < wanted && !isWindowed(filter)) await collect(ctx, { ...search, timed: false }, rows);
    for (const row of rows) found.set(row.id, row);
  }
  return [...found.values()].sort(newestFirst).slice(page.offset ?? 0, wanted);
}

// Null when the filter leaves more than a few, or when querying each of them would take longer than a walk.
async function searchFew(ctx: Context, request: FeedRequest): Promise<FeedRow[] | null> {
  const { q = '', ...filter } = request.filter;
  const { page } = request;
  if (!filtersFacets(filter) && !hasSortOfSource(filter)) return null;
  const rows = await readRanges(ctx, { ...request, filter, page: { limit: FEW_ROWS + 1, includeContent: false } });
  if (rows.length > FEW_ROWS) return null;
  const keys = await ctx.ports.fullText.matchAmong(ctx, { q, keys: rows.map((row) => row.doc_key) });
  if (keys === null) return null;
  const ids = rows.filter((row) => keys.includes(row.doc_key)).map((row) => row.id);
  const offset = page.offset ?? 0;
  return rowsOfIds(ctx, ids.slice(offset, offset + page.limit), page);
}

async function isNarrow(ctx: Context, branch: Branch, filter: FeedFilter): Promise<boolean> {
  if (branch.column === null) return false;
  let entries = 0;
  for (const listing of listings(filter)) {
    const rows = await branchQuery(ctx, { branch, listing }, { filter: { includePrereleases: true }, after: null })
      .select('r.id')
      .limit(NARROW + 1 - entries)
      .execute();
    entries += rows.length;
    if (entries > NARROW) return false;
  }
  return true;
}

async function searchNarrow(
  ctx: Context,
  request: FeedRequest,
  { branch, wanted }: { branch: Branch; wanted: number },
): Promise<FeedRow[]> {
  const { q = '', ...filter } = request.filter;
  const walk = { q, scope: scopeOf(branch), sparse: true, wanted };
  const ids = await walkFeed(ctx, { ...request, branches: [branch], filter }, walk);
  return rowsOfIds(ctx, ids.slice(0, wanted), request.page);
}

function isWindowed({ since, until }: FeedFilter): boolean {
  return Boolean(since || until);
}

interface BranchSearch extends Omit<FeedRequest, 'branches'> {
  branch: Branch;
  // Rows with an order time come first, then the others.
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
    filter: indexFilter(filter),
    minKey: timed && filter.since ? firstKeyOfMinute(minuteOf(filter.since)) : 0,
    maxKey: topKey(ctx, search),
    limit: Math.min(MOST_KEYS, Math.max(FEWEST_KEYS, Math.ceil(SPARE * wanted))),
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
    match.limit = MOST_KEYS;
  }
}

// Rows of one minute are ordered by their full timestamps, so a batch must not end inside a minute. A minute contains
// few of them, and the last one found ends the search in ascending order.
function restOfMinute(ctx: Context, match: FeedMatch, last: number): Promise<number[]> {
  const minKey = Math.max(match.minKey, firstKeyOfMinute(minuteOfKey(last)));
  return ctx.ports.fullText.match(ctx, { ...match, sparse: true, minKey, maxKey: last - 1, limit: SAME_MINUTE });
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
  const includeContent = page.includeContent ?? true;
  let query = keyedReleases(ctx, keys, includeContent).where('r.listing', 'in', listings(filter));
  if (branch.column) query = query.where(sql<boolean>`${branchColumn(branch.column)} = ${branch.value}`);
  query = timed
    ? query.where('r.feed_at', '<=', upperBound(ctx, filter)).where('r.feed_at', '>=', filter.since || '0')
    : query.where('r.feed_at', '=', '');
  if (isWindowed(filter)) query = query.where('r.published_at', 'is not', null);
  const rows = await applyFilter(query, filter).select(shownColumns(includeContent)).execute();
  return rows.filter((row) => isAfter(search, row));
}
