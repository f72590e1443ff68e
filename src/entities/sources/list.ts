// The list of sources: filters, sort orders and exact lookups.
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { type Context, now, queries } from '../../context.ts';
import { holdsScope, seesHidden } from '../../contract/caller.ts';
import { type Page, paginate } from '../../contract/pagination.ts';
import type { SourceItem } from '../../contract/source.ts';
import { foldName } from '../../domain/clean-text.ts';
import { idPrefixOf, toProductId } from '../../domain/ids.ts';
import { addDays, utcDay } from '../../domain/timestamps.ts';
import { normalizeUrl } from '../../domain/urls.ts';
import { findOrg } from '../resolve.ts';
import { containsFolded, visibleAmongMany } from '../visible.ts';
import { recentReleases } from './activity.ts';
import { sourceItemsOf } from './source-fields.ts';

export const SOURCE_SORTS = [
  'name',
  'org',
  'type',
  'latest_date',
  'last_fetched_at',
  'fetch_priority',
  'median_gap_days',
  'stars',
  'release_count',
] as const;

interface SourceListFilter {
  independent?: boolean;
  orgId?: string;
  orgSlug?: string;
  productSlug?: string;
  slug?: string;
  hasFeed?: boolean;
  hasChangelog?: boolean;
  q?: string;
  category?: string;
  kind?: string;
  type?: string;
  discovery?: string;
  fetchPriority?: string;
  stale?: boolean;
  minRels30d?: number;
  url?: readonly string[];
  includeHidden?: boolean;
  sort?: (typeof SOURCE_SORTS)[number];
  dir?: 'asc' | 'desc';
  page: number;
  limit: number;
  offset?: number;
}

// biome-ignore lint/suspicious/noExplicitAny: four joined tables under aliases
type Joined = SelectQueryBuilder<any, any, any>;

export async function listSources(ctx: Context, filter: SourceListFilter): Promise<Page<SourceItem>> {
  const narrowed = await narrow(ctx, filter);
  if (!narrowed) return { items: [], pagination: paginate({ ...filter, returned: 0, total: 0 }) };
  const offset = filter.offset ?? (filter.page - 1) * filter.limit;
  const { ids, total } = await pageOfIds(narrowed, filter, offset);
  const page = filter.offset === undefined ? filter.page : Math.floor(offset / filter.limit) + 1;
  const pagination = paginate({ page, limit: filter.limit, returned: ids.length, total });
  return { items: await sourceItemsOf(ctx, ids), pagination };
}

// Returns the ids of a page and the total from narrow rows; the full rows are read for the page only. Counting and
// sorting separately costs less than both in one statement, unless every source must be read to apply the filter.
async function pageOfIds(narrowed: Joined, filter: SourceListFilter, offset: number) {
  const ids = ordered(narrowed, filter).select('s.id');
  if (filter.minRels30d) {
    const every: { id: string }[] = await ids.execute();
    return { ids: every.slice(offset, offset + filter.limit).map(({ id }) => id), total: every.length };
  }
  const { total } = await narrowed.select(({ fn }) => fn.countAll().as('total')).executeTakeFirstOrThrow();
  const page: { id: string }[] = await ids.limit(filter.limit).offset(offset).execute();
  return { ids: page.map(({ id }) => id), total: Number(total) };
}

async function narrow(ctx: Context, filter: SourceListFilter): Promise<Joined | null> {
  let query: Joined = queries(ctx)
    .selectFrom('sources as s')
    .leftJoin('orgs as o', 'o.id', 's.org_id')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .leftJoin('source_figures as f', 'f.source_id', 's.id');
  const byUrl = filter.url !== undefined && seesHidden(ctx.caller);
  const showHidden = (filter.includeHidden && holdsScope(ctx.caller, 'admin')) || byUrl;
  query = query.where('s.deleted_at', 'is', null);
  if (!showHidden) query = query.where(visibleAmongMany());
  for (const org of [filter.orgId, filter.orgSlug]) {
    if (org === undefined) continue;
    const found = await findOrg(ctx, org);
    if (!found) return null;
    query = query.where('s.org_id', '=', found.id);
  }
  for (const condition of conditions(ctx, filter)) query = query.where(condition);
  return query;
}

function conditions(ctx: Context, filter: SourceListFilter): RawBuilder<boolean>[] {
  const result: RawBuilder<boolean>[] = [];
  const equal = (column: string, value: string | undefined) => {
    if (value !== undefined) result.push(sql`${sql.ref(column)} = ${value}`);
  };
  if (filter.independent !== undefined) result.push(isNull('s.org_id', filter.independent));
  if (filter.productSlug !== undefined) {
    const value = toProductId(filter.productSlug);
    equal(idPrefixOf(value) === 'prod' ? 's.product_id' : 'p.slug', value);
  }
  equal('s.slug', filter.slug);
  equal('s.kind', filter.kind);
  equal('s.type', filter.type);
  equal('s.discovery', filter.discovery);
  equal('s.fetch_priority', filter.fetchPriority);
  if (filter.category !== undefined) result.push(sql`COALESCE(p.category, o.category) = ${filter.category}`);
  if (filter.hasFeed !== undefined) result.push(isNull('s.feed_url', !filter.hasFeed));
  if (filter.hasChangelog !== undefined) {
    const exists = sql`EXISTS (SELECT 1 FROM changelog_files c WHERE c.source_id = s.id AND c.canonical = 1)`;
    result.push(filter.hasChangelog ? sql`${exists}` : sql`NOT ${exists}`);
  }
  if (filter.q !== undefined) {
    const text = foldName(filter.q);
    result.push(
      sql`(${containsFolded('s.name_key', text)} OR ${containsFolded('s.slug', text)} OR ${containsFolded('s.url_key', text)})`,
    );
  }
  if (filter.url !== undefined) {
    const keys = filter.url.map((url) => normalizeUrl(url) ?? '');
    result.push(sql`s.url_key IN (${sql.join(keys)})`);
  }
  return [...result, ...activityConditions(ctx, filter)];
}

const STALE_DAYS = 90;
const RECENT_DAYS = 30;

function activityConditions(ctx: Context, filter: SourceListFilter): RawBuilder<boolean>[] {
  const result: RawBuilder<boolean>[] = [];
  const today = utcDay(now(ctx));
  if (filter.stale !== undefined) {
    const since = addDays(today, -STALE_DAYS);
    const fresh = sql<boolean>`COALESCE(f.latest_date, '') >= ${since}`;
    result.push(filter.stale ? sql`NOT (${fresh})` : fresh);
  }
  if (filter.minRels30d !== undefined && filter.minRels30d > 0) {
    const since = addDays(today, 1 - RECENT_DAYS);
    result.push(sql`(COALESCE(f.latest_date, '') >= ${since} AND f.dated_count >= ${filter.minRels30d}
      AND ${recentReleases(since)} >= ${filter.minRels30d})`);
  }
  return result;
}

function isNull(column: string, wanted: boolean): RawBuilder<boolean> {
  return wanted ? sql`${sql.ref(column)} IS NULL` : sql`${sql.ref(column)} IS NOT NULL`;
}

const SORT_COLUMNS: Record<(typeof SOURCE_SORTS)[number], string> = {
  name: 's.name_key',
  org: 'o.name_key',
  type: 's.type',
  latest_date: 'f.latest_date',
  last_fetched_at: 's.last_fetched_at',
  fetch_priority: 's.fetch_priority',
  median_gap_days: 's.median_gap_days',
  stars: 's.stars',
  release_count: 'f.release_count',
};

// Nulls come last in both directions, which neither engine does by default.
function ordered(query: Joined, { sort = 'name', dir = 'asc' }: SourceListFilter): Joined {
  const column = SORT_COLUMNS[sort];
  // Named once: with the same column twice the engine sorts rows that its index already returns in order.
  if (sort === 'name') return query.orderBy(column, dir).orderBy('s.id');
  return query
    .orderBy(sql`CASE WHEN ${sql.ref(column)} IS NULL THEN 1 ELSE 0 END`)
    .orderBy(column, dir)
    .orderBy('s.name_key')
    .orderBy('s.id');
}
