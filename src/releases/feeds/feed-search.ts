// A feed with `q`: the full-text index is walked from the newest key down, and every hit is checked on its row. A scope
// of few releases is walked itself, and when a filter leaves very few the index is queried for each of them.
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { ABOVE_VERSIONS } from '../../domain/cursor.ts';
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
  filtersSourceType,
  indexFilter,
  keyedReleases,
  listings,
  type ReleaseQuery,
  upperBound,
} from './feed-query.ts';
import { type FeedKey, type FeedRow, isAfter, newestFirst, shownColumns } from './feed-rows.ts';
import { idsOfOwners, OWNED_COLUMNS, rowsOfIds, withinDates } from './rare-releases.ts';
import { readRanges } from './read-ranges.ts';
import { keysWithWords, walkFeed } from './walk-feed.ts';

// Rows are checked after the index has returned them; most pass.
const MIN_KEYS = 32;
const MAX_KEYS = 256;
const SPARE = 1.15;
const SAME_MINUTE = 100_000;
// Each branch is a query of the index; more branches than this share one query.
const FEW_BRANCHES = 12;
// In a scope with fewer releases the index steps over more entries of a common word than a skip costs.
const NARROW = 600;
// For this few releases the index is queried one by one.
const FEW_ROWS = 8;
// This many undated releases are read and sorted within milliseconds.
const FEW_UNDATED = 1_000;

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
    if (after === null || after.feedAt !== '') await collectTimed(ctx, search, rows);
    if (rows.length < wanted && !isWindowed(filter)) rows.push(...(await searchUndated(ctx, search)));
    for (const row of rows) found.set(row.id, row);
  }
  return [...found.values()].sort(newestFirst).slice(page.offset ?? 0, wanted);
}

// Null when the filter leaves more than a few, or when querying each of them would take longer than a walk.
async function searchFew(ctx: Context, request: FeedRequest): Promise<FeedRow[] | null> {
  const { q = '', ...filter } = request.filter;
  const { page } = request;
  if (!filtersFacets(filter) && !filtersSourceType(filter)) return null;
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
  request: Omit<FeedRequest, 'branches'>,
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
  wanted: number;
}

// Rows with an order time, in the order of which the index has them.
async function collectTimed(ctx: Context, search: BranchSearch, into: FeedRow[]): Promise<void> {
  const { filter, after, wanted } = search;
  const upper = upperBound(ctx, filter);
  const match: FeedMatch = {
    ...branchMatch(search),
    dates: isWindowed(filter) ? 'dated' : 'any',
    minKey: filter.since ? firstKeyOfMinute(minuteOf(filter.since)) : 0,
    maxKey: lastKeyOfMinute(minuteOf(after && after.feedAt < upper ? after.feedAt : upper)),
    limit: Math.min(MAX_KEYS, Math.max(MIN_KEYS, Math.ceil(SPARE * wanted))),
  };
  const readRows = (keys: readonly number[]) =>
    rowsOfKeys(ctx, keys, search, (query) =>
      query.where('r.feed_at', '<=', upper).where('r.feed_at', '>=', filter.since || '0'),
    );
  while (into.length < wanted && match.maxKey >= match.minKey) {
    const keys = await ctx.ports.fullText.match(ctx, match);
    const last = keys.at(-1);
    if (last === undefined) return;
    const complete = keys.length < match.limit;
    if (!complete) keys.push(...(await restOfMinute(ctx, match, last)));
    into.push(...(await readRows(keys)));
    if (complete) return;
    match.maxKey = firstKeyOfMinute(minuteOfKey(last)) - 1;
    match.limit = MAX_KEYS;
  }
}

// Rows of one minute are ordered by their full timestamps, so a batch must not end inside a minute. A minute contains
// few of them, and the last one found ends the search in ascending order.
function restOfMinute(ctx: Context, match: FeedMatch, last: number): Promise<number[]> {
  const minKey = Math.max(match.minKey, firstKeyOfMinute(minuteOfKey(last)));
  return ctx.ports.fullText.match(ctx, { ...match, sparse: true, minKey, maxKey: last - 1, limit: SAME_MINUTE });
}

const UNDATED_START: FeedKey = { feedAt: '', feedVersion: ABOVE_VERSIONS, id: '' };

// Rows without an order time are ordered by version, which the index does not know: few matches are all read and
// sorted, and for a common word the feed is walked.
async function searchUndated(ctx: Context, search: BranchSearch): Promise<FeedRow[]> {
  const { after } = search;
  const keys = await ctx.ports.fullText.match(ctx, {
    ...branchMatch(search),
    dates: 'undated',
    minKey: 0,
    maxKey: Number.MAX_SAFE_INTEGER,
    limit: FEW_UNDATED,
  });
  if (keys.length < FEW_UNDATED) {
    return rowsOfKeys(ctx, keys, search, (query) => query.where('r.feed_at', '=', ''));
  }
  return searchNarrow(ctx, { ...search, after: after?.feedAt === '' ? after : UNDATED_START }, search);
}

function branchMatch({ branch, filter }: BranchSearch) {
  return {
    q: filter.q ?? '',
    scope: scopeOf(branch),
    includePrereleases: filter.includePrereleases ?? false,
    includeCoverage: filter.includeCoverage ?? false,
    filter: indexFilter(filter),
  };
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
  search: BranchSearch,
  inPeriod: (query: ReleaseQuery) => ReleaseQuery,
): Promise<FeedRow[]> {
  if (keys.length === 0) return [];
  const { branch, filter, page } = search;
  const includeContent = page.includeContent ?? true;
  let query = inPeriod(keyedReleases(ctx, keys, includeContent).where('r.listing', 'in', listings(filter)));
  if (branch.column) query = query.where(sql<boolean>`${branchColumn(branch.column)} = ${branch.value}`);
  if (isWindowed(filter)) query = query.where('r.published_at', 'is not', null);
  const rows = await applyFilter(query, filter).select(shownColumns(includeContent)).execute();
  return rows.filter((row) => isAfter(search, row));
}

// A feed with `q` over many owners. Rare words are looked up first, and their few releases are checked for an owner;
// with common words the feed is walked.

// This many releases are checked for their owner within milliseconds.
const RARE = 1_000;

async function searchManyBranches(ctx: Context, request: FeedRequest): Promise<FeedRow[]> {
  const { q = '', ...filter } = request.filter;
  const { page } = request;
  // With a selective filter a step covers a longer part of the feed.
  const sparse = filtersFacets(filter) || filtersSourceType(filter);
  const match = { q, scope: {}, filter: indexFilter(filter), sparse };
  // Rarity is measured without the filter: with it, the index would skip over a common word until enough matches were
  // found.
  const words = { q, scope: {} };
  const keys = await keysWithWords(ctx, words, { minKey: 0, maxKey: Number.MAX_SAFE_INTEGER, limit: RARE });
  const wanted = page.limit + (page.offset ?? 0);
  const plain = { ...request, filter };
  const ids =
    keys.length < RARE ? await ownedReleases(ctx, keys, plain) : await walkFeed(ctx, plain, { ...match, wanted });
  return rowsOfIds(ctx, ids.slice(page.offset ?? 0, wanted), page);
}

async function ownedReleases(ctx: Context, keys: readonly number[], request: FeedRequest): Promise<string[]> {
  if (keys.length === 0) return [];
  const { filter } = request;
  const query = withinDates(ctx, keyedReleases(ctx, keys, false), filter);
  return idsOfOwners(await applyFilter(query, filter).select(OWNED_COLUMNS).execute(), request);
}
