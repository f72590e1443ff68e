// Merges several ranges of the feed indexes: returns the newest keys of all of them.
import { type RawBuilder, sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import { elementAt } from '../../domain/records.ts';
import { type Branch, branchColumn, branchQuery, type FeedRequest, type ReleaseQuery } from './feed-query.ts';
import { newestFirst, type RowKey } from './feed-rows.ts';

type RangePart = { branch: Branch; listing: number };
const UNION_TERMS = 100;
export const FEW_PARTS = 8;
const HEADS = 2_000;

export function partsOf(branches: readonly Branch[], listings: readonly number[]): RangePart[] {
  return branches.flatMap((branch) => listings.map((listing) => ({ branch, listing })));
}

// The newest keys of all parts, newest first.
export async function mergedKeys(
  ctx: Context,
  parts: readonly RangePart[],
  request: KeyRequest,
): Promise<readonly SourcedKey[]> {
  const { ahead, since } = await leadingParts(ctx, parts, request);
  const keys = since
    ? await keysSince(ctx, ahead, { ...request, filter: { ...request.filter, notBefore: since } })
    : await newestKeys(ctx, ahead, request);
  const unique = new Map(keys.map((key) => [key.id, key]));
  return [...unique.values()].sort(newestFirst).slice(0, request.wanted);
}

// The request to each part: as many keys as the page may need.
type KeyRequest = Pick<FeedRequest, 'filter' | 'after'> & {
  wanted: number;
  // Adds the source of each key, which the indexes of facets and categories contain.
  withSource?: boolean;
};

type SourcedKey = RowKey & { source_id?: string };

// For few branches, or few rows in all: each branch returns as many keys as the page may need.
function newestKeys(ctx: Context, parts: readonly RangePart[], request: KeyRequest): Promise<SourcedKey[]> {
  const hasWholeIndex = parts.some(({ branch }) => branch.column === null);
  return ctx.store.dialect.hasLateral && !hasWholeIndex
    ? newestKeysOfEach(ctx, parts, request)
    : newestKeysOfUnion(ctx, parts, request);
}

// The query of a branch is planned once for all of them: a union is planned term by term, which takes PostgreSQL longer
// than reading the page.
async function newestKeysOfEach(ctx: Context, parts: readonly RangePart[], request: KeyRequest): Promise<SourcedKey[]> {
  const keys: SourcedKey[] = [];
  for (const { column, listing, members } of groupsOf(parts)) {
    const branch = { column, value: sql.ref<string>('scope.value') };
    const newest = newestKeysQuery(branchQuery(ctx, { branch, listing }, request), request);
    for (let start = 0; start < members.length; start += HEADS) {
      const values = members.slice(start, start + HEADS).map((part) => sql`(${branchValue(part)})`);
      const { rows } = await sql<SourcedKey>`WITH scope (value) AS (VALUES ${sql.join(values)})
        SELECT part.* FROM scope CROSS JOIN LATERAL (${newest}) AS part
        ORDER BY feed_at DESC, feed_version DESC, id DESC LIMIT ${request.wanted}`.execute(queries(ctx));
      keys.push(...rows);
    }
  }
  return keys;
}

async function newestKeysOfUnion(
  ctx: Context,
  parts: readonly RangePart[],
  request: KeyRequest,
): Promise<SourcedKey[]> {
  const { wanted } = request;
  const keys: SourcedKey[] = [];
  for (let start = 0; start < parts.length; start += UNION_TERMS) {
    const terms = parts
      .slice(start, start + UNION_TERMS)
      .map((part) => sql`SELECT * FROM (${newestKeysQuery(branchQuery(ctx, part, request), request)}) AS part`);
    const { rows } = await sql<SourcedKey>`${sql.join(terms, sql` UNION `)}
      ORDER BY feed_at DESC, feed_version DESC, id DESC LIMIT ${wanted}`.execute(queries(ctx));
    keys.push(...rows);
  }
  return keys;
}

const WHOLE_INDEX: Branch = { column: null, value: '' };

// For many branches with rows in a short window: one statement per index.
async function keysSince(ctx: Context, parts: readonly RangePart[], request: KeyRequest): Promise<SourcedKey[]> {
  const keys: SourcedKey[] = [];
  for (const { column, listing, members } of groupsOf(parts)) {
    if (column === null) continue;
    const values = members.map((part) => part.branch.value);
    const rows = branchQuery(ctx, { branch: WHOLE_INDEX, listing }, request).where(
      sql<boolean>`${branchColumn(column)} IN (${sql.join(values)})`,
    );
    keys.push(...(await newestKeysQuery(rows, request).execute()));
  }
  return keys;
}

function newestKeysQuery(query: ReleaseQuery, { wanted, withSource = false }: KeyRequest) {
  return newestFirstOf(query)
    .select(['r.id', 'r.feed_at', 'r.feed_version'])
    .$if(withSource, (keyed) => keyed.select('r.source_id'))
    .limit(wanted);
}

export function newestFirstOf(query: ReleaseQuery): ReleaseQuery {
  return query.orderBy('r.feed_at', 'desc').orderBy('r.feed_version', 'desc').orderBy('r.id', 'desc');
}

// Parts with the same column and listing, which one statement can cover.
interface PartGroup {
  column: Branch['column'];
  listing: number;
  members: readonly RangePart[];
}

function groupsOf(parts: readonly RangePart[]): PartGroup[] {
  const groups = Map.groupBy(parts, ({ branch, listing }) => `${branch.column} ${listing}`);
  return [...groups.values()].flatMap((members) => {
    const [first] = members;
    return first ? [{ column: first.branch.column, listing: first.listing, members }] : [];
  });
}

interface LeadingParts {
  ahead: readonly RangePart[];
  // A lower bound of the order time of the page.
  since: string | null;
}

// If m branches each have k rows newer than a date, the m · k newest rows of all are newer too. So the k-th newest row
// of each branch, which the index returns at once, bounds how far back a page can reach.
async function leadingParts(ctx: Context, parts: readonly RangePart[], request: KeyRequest): Promise<LeadingParts> {
  const { wanted } = request;
  if (parts.length <= FEW_PARTS) return { ahead: parts, since: null };
  const depth = Math.ceil((2 * wanted) / parts.length);
  const heads: PartHead[] = [];
  for (const { members, ...group } of groupsOf(parts)) {
    for (let start = 0; start < members.length; start += HEADS) {
      const some = { ...group, members: members.slice(start, start + HEADS) };
      heads.push(...(await nthNewestOfEach(ctx, some, { ...request, depth })));
    }
  }
  heads.sort((a, b) => (a.head < b.head ? 1 : a.head > b.head ? -1 : 0));
  const since = heads[Math.ceil(wanted / depth) - 1]?.head || null;
  // Only the newest row of a branch shows that it has no newer one.
  const ahead = depth === 1 ? heads.filter(({ head }) => head >= (since ?? '')).map(({ part }) => part) : parts;
  return { ahead, since };
}

// A number among values has to be written out: as a parameter it would be taken for a text.
function branchValue({ branch }: RangePart): RawBuilder<unknown> {
  return branch.column === 'facet' ? sql.lit(branch.value) : sql`${branch.value}`;
}

interface PartHead {
  part: RangePart;
  head: string;
}

async function nthNewestOfEach(
  ctx: Context,
  { column, listing, members }: PartGroup,
  { depth, ...request }: Pick<FeedRequest, 'filter' | 'after'> & { depth: number },
): Promise<PartHead[]> {
  const nth = branchQuery(ctx, { branch: { column, value: sql.ref<string>('scope.value') }, listing }, request)
    .select('r.feed_at')
    .orderBy('r.feed_at', 'desc')
    .limit(1)
    .offset(depth - 1);
  const values = members.map((part, index) => sql`(${sql.lit(index)}, ${branchValue(part)})`);
  const { rows } = await sql<{ ordinal: number; head: string | null }>`
    WITH scope (ordinal, value) AS (VALUES ${sql.join(values)})
    SELECT ordinal, (${nth}) AS head FROM scope`.execute(queries(ctx));
  return rows.flatMap(({ ordinal, head }) => (head === null ? [] : [{ part: elementAt(members, ordinal), head }]));
}
