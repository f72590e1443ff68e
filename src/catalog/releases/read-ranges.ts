// A feed without words: the ranges that its plan names, read as one.
import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import {
  type Branch,
  branchColumn,
  branchQuery,
  columns,
  type FeedFilter,
  type FeedKey,
  type FeedPage,
  type FeedRow,
  listings,
  newestFirst,
  type ReleaseQuery,
} from './feed-query.ts';
import { planFeed } from './feed-ranges.ts';
import { rareReleases, rowsOfIds } from './rare-releases.ts';

export async function readRanges(
  ctx: Context,
  scope: readonly Branch[],
  asked: FeedFilter,
  page: FeedPage,
  after: FeedKey | null,
): Promise<FeedRow[]> {
  const rare = scope.length > FEW_PARTS ? await rareReleases(ctx, scope, asked, page, after) : null;
  if (rare) return rare;
  const { branches, filter } = await planFeed(ctx, scope, asked);
  const parts = branches.flatMap((branch) => listings(filter).map((listing) => ({ branch, listing })));
  const [only] = parts;
  if (!only) return [];
  const rows =
    parts.length === 1
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

type Part = { branch: Branch; listing: number };
const UNION_TERMS = 100;
const FEW_PARTS = 8;
const HEADS = 2_000;

// Each branch gives its own newest rows from its own index; the newest of all of them are read whole.
async function mergedRows(
  ctx: Context,
  parts: readonly Part[],
  filter: FeedFilter,
  page: FeedPage,
  after: FeedKey | null,
): Promise<FeedRow[]> {
  const wanted = page.limit + (page.offset ?? 0);
  const { ahead, since } = await leadingParts(ctx, parts, filter, after, wanted);
  const keys = since
    ? await keysSince(ctx, ahead, { ...filter, notBefore: since }, after, wanted)
    : await newestKeys(ctx, ahead, filter, after, wanted);
  keys.sort(newestFirst);
  const ids = [...new Set(keys.map((key) => key.id))].slice(page.offset ?? 0, wanted);
  return rowsOfIds(ctx, ids, page);
}

type RowKey = { id: string; feed_at: string; fetched_at: string };

// Few branches, or few rows in all: each branch gives as many as the page may need.
async function newestKeys(
  ctx: Context,
  parts: readonly Part[],
  filter: FeedFilter,
  after: FeedKey | null,
  wanted: number,
): Promise<RowKey[]> {
  const keys: RowKey[] = [];
  for (let start = 0; start < parts.length; start += UNION_TERMS) {
    const terms = parts
      .slice(start, start + UNION_TERMS)
      .map(
        ({ branch, listing }) =>
          sql`SELECT * FROM (${newestFirstQuery(branchQuery(ctx, branch, listing, filter, after), wanted)}) AS part`,
      );
    const { rows } = await sql<RowKey>`${sql.join(terms, sql` UNION `)}
      ORDER BY feed_at DESC, fetched_at DESC, id DESC LIMIT ${wanted}`.execute(queries(ctx));
    keys.push(...rows);
  }
  return keys;
}

// Many branches, of which each has a row in a short window: one statement for each index.
async function keysSince(
  ctx: Context,
  parts: readonly Part[],
  filter: FeedFilter,
  after: FeedKey | null,
  wanted: number,
): Promise<RowKey[]> {
  const keys: RowKey[] = [];
  for (const group of groupsOf(parts)) {
    const [{ branch, listing }] = group as [Part];
    if (branch.column === null) continue;
    const values = group.map((part) => part.branch.value);
    const rows = branchQuery(ctx, { column: null, value: '' }, listing, filter, after).where(
      sql<boolean>`${branchColumn(branch.column)} IN (${sql.join(values)})`,
    );
    keys.push(...((await newestFirstQuery(rows, wanted).execute()) as RowKey[]));
  }
  return keys;
}

function newestFirstQuery(query: ReleaseQuery, limit: number) {
  return query
    .select(['r.id', 'r.feed_at', 'r.fetched_at'])
    .orderBy('r.feed_at', 'desc')
    .orderBy('r.fetched_at', 'desc')
    .orderBy('r.id', 'desc')
    .limit(limit);
}

function groupsOf(parts: readonly Part[]): Part[][] {
  return [...Map.groupBy(parts, ({ branch, listing }) => `${branch.column} ${listing}`).values()];
}

interface LeadingParts {
  ahead: readonly Part[];
  // No row of the page is older than this.
  since: string | null;
}

// Where m branches have k rows each that are newer than a date, the m · k newest rows of all are newer, too. So the k-th
// newest of each branch, which the index gives at once, tells how far back a page can reach.
async function leadingParts(
  ctx: Context,
  parts: readonly Part[],
  filter: FeedFilter,
  after: FeedKey | null,
  wanted: number,
): Promise<LeadingParts> {
  if (parts.length <= FEW_PARTS) return { ahead: parts, since: null };
  const depth = Math.ceil((2 * wanted) / parts.length);
  const heads: { part: Part; head: string }[] = [];
  for (const group of groupsOf(parts)) {
    for (let start = 0; start < group.length; start += HEADS) {
      heads.push(...(await nthNewestOfEach(ctx, group.slice(start, start + HEADS), { depth, filter, after })));
    }
  }
  heads.sort((a, b) => (a.head < b.head ? 1 : a.head > b.head ? -1 : 0));
  const since = heads[Math.ceil(wanted / depth) - 1]?.head || null;
  // Only the newest row of a branch says that it has no newer one.
  const ahead = depth === 1 ? heads.filter(({ head }) => head >= (since ?? '')).map(({ part }) => part) : parts;
  return { ahead, since };
}

// All of one column and one listing, so that one statement asks for all of them.
async function nthNewestOfEach(
  ctx: Context,
  parts: readonly Part[],
  { depth, filter, after }: { depth: number; filter: FeedFilter; after: FeedKey | null },
): Promise<{ part: Part; head: string }[]> {
  const [{ branch, listing }] = parts as [Part];
  const value = sql.ref<string>('scope.value');
  const nth = branchQuery(ctx, { column: branch.column, value }, listing, filter, after)
    .select('r.feed_at')
    .orderBy('r.feed_at', 'desc')
    .limit(1)
    .offset(depth - 1);
  const values = parts.map((part, index) =>
    part.branch.column === 'facet'
      ? sql`(${sql.lit(index)}, ${sql.lit(part.branch.value)})`
      : sql`(${sql.lit(index)}, ${part.branch.value})`,
  );
  const { rows } = await sql<{ place: number; head: string | null }>`
    WITH scope (place, value) AS (VALUES ${sql.join(values)})
    SELECT place, (${nth}) AS head FROM scope`.execute(queries(ctx));
  return rows.flatMap(({ place, head }) => (head === null ? [] : [{ part: parts[place] as Part, head }]));
}
