// The rows of release feeds: their columns, with or without the text, and their order.
import type { ReleaseRow } from '../../store/schema/releases.ts';
import { RELEASE_COLUMNS } from '../release-fields.ts';

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
  'r.security',
  'r.proven',
  'r.derived_by',
  'r.media',
  'r.content_hash',
  'r.content_chars',
  'r.content_tokens',
  'r.published_at',
  'r.feed_at',
  'r.feed_version',
  'r.prerelease',
  'r.suppressed',
  'r.suppressed_reason',
  'r.suppressed_by',
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

// The columns of items, cursors and entries of a feed.
const SHOWN_COLUMNS = [
  ...RELEASE_COLUMNS.map((column) => `r.${column}` as const),
  'r.feed_at',
  'r.feed_version',
  'r.doc_key',
  'r.content_hash',
  'r.revision_count',
] as const;

const SHOWN_WITH_CONTENT = [...SHOWN_COLUMNS, 'r.content'] as const;
const FULL_COLUMNS = [...LEAN_COLUMNS, 'r.content'] as const;

type ColumnOf<T extends string> = T extends `r.${infer Column extends keyof ReleaseRow}` ? Column : never;

// `content` is present unless the page asks for lean rows.
export type FeedRow = Pick<ReleaseRow, ColumnOf<(typeof SHOWN_COLUMNS)[number]>> & { content?: string };

export function shownColumns(includeContent: boolean): typeof SHOWN_WITH_CONTENT {
  return (includeContent ? SHOWN_WITH_CONTENT : SHOWN_COLUMNS) as typeof SHOWN_WITH_CONTENT;
}

// The shown columns and those that the filters of a feed need.
export function columns(includeContent: boolean): typeof FULL_COLUMNS {
  return (includeContent ? FULL_COLUMNS : LEAN_COLUMNS) as typeof FULL_COLUMNS;
}

// The row that a page continues after, from its cursor.
export type FeedKey = { feedAt: string; feedVersion: string; id: string };

// The sort key of every feed.
export type RowKey = Pick<ReleaseRow, 'feed_at' | 'feed_version' | 'id'>;

export function keyOf(row: RowKey): FeedKey {
  return { feedAt: row.feed_at, feedVersion: row.feed_version, id: row.id };
}

export function newestFirst(a: RowKey, b: RowKey): number {
  return descending(a.feed_at, b.feed_at) || descending(a.feed_version, b.feed_version) || descending(a.id, b.id);
}

// Whether a row comes after the one that the request continues after.
export function isAfter({ after }: { after: FeedKey | null }, row: RowKey): boolean {
  if (after === null) return true;
  return newestFirst({ feed_at: after.feedAt, feed_version: after.feedVersion, id: after.id }, row) < 0;
}

function descending(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? 1 : -1;
}
