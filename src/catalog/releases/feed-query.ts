// What every reading of a release feed has in common: its scope, its filters, its columns and its order.
import { type SelectQueryBuilder, sql } from 'kysely';
import { type Context, now } from '../../context.ts';
import type { ReleaseRow, Schema } from '../../store/schema.ts';

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

export type ReleaseQuery = SelectQueryBuilder<Schema & { r: ReleaseRow }, 'r', object>;

export function upperBound(ctx: Context, filter: FeedFilter): string {
  const present = now(ctx);
  return filter.until && filter.until < present ? filter.until : present;
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
