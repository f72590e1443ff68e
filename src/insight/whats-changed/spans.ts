// A span of releases of one package, and the query for its rows. A span that is only counted reads the version index
// alone.
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { WITHDRAWN_RELEASE } from '../../catalog/visible.ts';
import { type Context, now, queries } from '../../context.ts';
import type { VersionKeyRange } from '../../domain/upgrade/bounds.ts';

export type ReleaseWindow = ({ by: 'version' } & VersionKeyRange) | { by: 'time'; after: string; upTo: string };

export interface ReleaseSpan {
  sourceId: string;
  part: string | null;
  // Releases of a source that is not shown have the negative listing.
  visible: boolean;
  window: ReleaseWindow;
}

export const ORDER_COLUMN = { version: 'r.version_sort', time: 'r.feed_at' } as const;

// Rows of a package that may be shown now.
export function packageRows(ctx: Context, { sourceId, part }: Pick<ReleaseSpan, 'sourceId' | 'part'>) {
  return queries(ctx)
    .selectFrom('releases as r')
    .where('r.source_id', '=', sourceId)
    .where('r.package_part', part === null ? 'is' : '=', part)
    .where('r.feed_at', '<=', now(ctx));
}

// Rows of the span, whatever their listing.
export function spanRows(ctx: Context, span: ReleaseSpan) {
  const { window } = span;
  const column = ORDER_COLUMN[window.by];
  let rows = packageRows(ctx, span).where(column, '>', window.after).where(column, '<=', window.upTo);
  // In order of dates, which an undated release lacks wherever it stands in feeds.
  if (window.by === 'time') return rows.where('r.version', 'is not', null).where('r.published_at', 'is not', null);
  for (const gap of window.gaps) rows = rows.where(outside(column, gap));
  return rows;
}

// The condition is written as a plain check, because two ranges would stop the engine from reading the index in order.
export function outside(column: string, [start, end]: readonly [string, string]): RawBuilder<boolean> {
  return sql<boolean>`NOT (${sql.ref(column)} >= ${start} AND ${sql.ref(column)} < ${end})`;
}

export function shownListing({ visible }: Pick<ReleaseSpan, 'visible'>): number {
  return visible ? 2 : -2;
}

export function coveredListing({ visible }: Pick<ReleaseSpan, 'visible'>): number {
  return visible ? 1 : -1;
}

// Rows that may be covered by another release of the same push.
export function isCoveredVersion(span: Pick<ReleaseSpan, 'visible'>): RawBuilder<boolean> {
  return sql<boolean>`(r.listing = ${coveredListing(span)} OR ${WITHDRAWN_RELEASE})`;
}

// Rows that stand for a version: those that are listed, those covered by another release, and those that their author has
// withdrawn.
export function isStoredVersion({ visible }: Pick<ReleaseSpan, 'visible'>): RawBuilder<boolean> {
  return visible ? STORED : STORED_IN_HIDDEN;
}

const STORED: RawBuilder<boolean> = sql`(r.listing IN (2, 1) OR ${WITHDRAWN_RELEASE})`;
const STORED_IN_HIDDEN: RawBuilder<boolean> = sql`(r.listing IN (-2, -1) OR ${WITHDRAWN_RELEASE})`;

// biome-ignore lint/suspicious/noExplicitAny: whatever tables a branch reads, only its rows matter here
type SpanBranch<T> = SelectQueryBuilder<any, any, T>;

const BRANCHES = 25;

// Runs many small queries of one form as a few large ones. Each branch marks its rows with its slot, and they are returned
// with the index of their item. Slots start at 0 in each statement, so that prepared statements are reused.
export async function inUnions<I, T extends { slot: number }>(
  items: readonly I[],
  branch: (item: I, slot: number) => SpanBranch<T>,
): Promise<T[]> {
  const rows: T[] = [];
  for (let start = 0; start < items.length; start += BRANCHES) {
    const [first, ...others] = items.slice(start, start + BRANCHES).map(branch);
    if (!first) break;
    const found: T[] = await others.reduce((all, one) => all.unionAll(one), first).execute();
    for (const row of found) {
      row.slot = start + Number(row.slot);
      rows.push(row);
    }
  }
  return rows;
}

// Wraps a branch as a table, because only then it can have an order and a limit of its own.
export function asBranch<T>(ctx: Context, rows: SpanBranch<T>): SpanBranch<T> {
  return queries(ctx).selectFrom(rows.as('e')).selectAll() as SpanBranch<T>;
}
