// Every release feed of the service is read here: newest first, by keyset, on the index of its scope.
import { type SelectQueryBuilder, sql } from 'kysely';
import { type Context, now, queries } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import type { ReleaseFeed } from '../../contract/release.ts';
import { decodeFeedCursor, encodeCursor } from '../../domain/cursor.ts';
import type { ReleaseRow, Schema } from '../../store/schema.ts';
import { searchFeed } from './feed-search.ts';
import { feedItems } from './item.ts';

export type ScopeColumn = 'source_id' | 'org_id' | 'product_id' | 'effective_category';

// A branch is one stretch of one feed index. A scope is one branch, or several that are merged.
export interface Branch {
  column: ScopeColumn | null;
  value: string;
}

export interface FeedFilter {
  includePrereleases?: boolean;
  includeCoverage?: boolean;
  // The rows of an entity that is itself hidden, for callers who may see it.
  hidden?: boolean;
  sourceTypes?: readonly string[];
  excludeTypes?: readonly string[];
  kind?: string;
  minImportance?: number;
  breaking?: readonly string[];
  type?: string;
  productId?: string;
  // Only these sources, when the scope has some that must stay out.
  sourceIds?: readonly string[];
  q?: string;
  since?: string | null;
  until?: string | null;
}

export interface FeedPage {
  cursor?: string;
  limit: number;
  includeContent?: boolean;
  // Rows to pass over; only page-wise reading of one source uses it.
  offset?: number;
}

export type FeedKey = { feedAt: string; fetchedAt: string; id: string };

export type FeedRow = Omit<ReleaseRow, 'content'> & { content?: string };

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

export function cursorOf(row: Pick<ReleaseRow, 'published_at' | 'fetched_at' | 'id'>): string {
  return encodeCursor([row.published_at, row.fetched_at, row.id]);
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

export function newestFirst(
  a: { feed_at: string; fetched_at: string; id: string },
  b: { feed_at: string; fetched_at: string; id: string },
): number {
  return descending(a.feed_at, b.feed_at) || descending(a.fetched_at, b.fetched_at) || descending(a.id, b.id);
}

function descending(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? 1 : -1;
}

type ReleaseQuery = SelectQueryBuilder<Schema & { r: ReleaseRow }, 'r', object>;

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

export function upperBound(ctx: Context, filter: FeedFilter): string {
  const present = now(ctx);
  return filter.until && filter.until < present ? filter.until : present;
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
  if (filter.since) bounded = bounded.where('r.feed_at', '>=', filter.since);
  else if (filter.until) bounded = bounded.where('r.feed_at', '>', '');
  return bounded;
}

export function applyFilter(query: ReleaseQuery, filter: FeedFilter): ReleaseQuery {
  let narrowed = query;
  if (!filter.includePrereleases) narrowed = narrowed.where('r.prerelease', '=', 0);
  if (filter.minImportance !== undefined) narrowed = narrowed.where('r.importance', '>=', filter.minImportance);
  if (filter.breaking) narrowed = narrowed.where('r.breaking', 'in', filter.breaking);
  if (filter.type) narrowed = narrowed.where('r.type', '=', filter.type);
  if (filter.productId) narrowed = narrowed.where('r.product_id', '=', filter.productId);
  if (filter.sourceIds) narrowed = narrowed.where('r.source_id', 'in', [...filter.sourceIds, '']);
  if (filter.sourceTypes || filter.excludeTypes || filter.kind) {
    narrowed = narrowed.where('r.source_id', 'in', (eb) => sourcesOfSort(eb, filter));
  }
  return narrowed;
}

// biome-ignore lint/suspicious/noExplicitAny: the expression builder's full type adds nothing here
function sourcesOfSort(eb: any, filter: FeedFilter) {
  let sources = eb.selectFrom('sources as fs').leftJoin('products as fp', 'fp.id', 'fs.product_id').select('fs.id');
  if (filter.sourceTypes) sources = sources.where('fs.type', 'in', filter.sourceTypes);
  if (filter.excludeTypes) sources = sources.where('fs.type', 'not in', filter.excludeTypes);
  if (filter.kind) sources = sources.where(sql`COALESCE(fs.kind, fp.kind)`, '=', filter.kind);
  return sources;
}

const LEAN_COLUMNS = [
  'r.seq',
  'r.id',
  'r.source_id',
  'r.org_id',
  'r.product_id',
  'r.identity_key',
  'r.guid',
  'r.url',
  'r.version',
  'r.version_sort',
  'r.package_part',
  'r.type',
  'r.origin',
  'r.title',
  'r.summary',
  'r.title_generated',
  'r.title_short',
  'r.breaking',
  'r.migration_notes',
  'r.importance',
  'r.composition',
  'r.derived_by',
  'r.media',
  'r.content_hash',
  'r.content_chars',
  'r.content_tokens',
  'r.published_at',
  'r.feed_at',
  'r.prerelease',
  'r.suppressed',
  'r.suppressed_reason',
  'r.coverage_of',
  'r.coverage_count',
  'r.effective_category',
  'r.listing',
  'r.pinned',
  'r.revision_count',
  'r.doc_key',
  'r.embedded_at',
  'r.fetched_at',
  'r.updated_at',
] as const;

const FULL_COLUMNS = [...LEAN_COLUMNS, 'r.content'] as const;

export function columns(includeContent: boolean): typeof FULL_COLUMNS {
  return (includeContent ? FULL_COLUMNS : LEAN_COLUMNS) as typeof FULL_COLUMNS;
}
