// The row of a source as wire fields, with its figures and owners. Other shapes of sources select from these.
import { type Context, queries } from '../../context.ts';
import type { SourceItem, SourceRowShape } from '../../contract/source.ts';
import { SETTINGS_WITH_COLUMN } from '../../contract/source-settings.ts';
import { type PollHours, tierMs } from '../../domain/fetching/schedule.ts';
import { parseJson } from '../../store/json-text.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import { type CountedOwner, isCounted } from '../activity/counts.ts';
import { renderMetadata } from './metadata.ts';

// The columns of an item.
const ITEM_COLUMNS = [
  's.id',
  's.slug',
  's.name',
  's.type',
  's.url',
  's.product_id',
  's.kind',
  's.is_primary',
  's.is_hidden',
  's.discovery',
  's.fetch_priority',
  's.last_fetched_at',
  's.last_polled_at',
  's.change_detected_at',
  's.consecutive_no_change',
  's.consecutive_errors',
  's.next_fetch_after',
  's.median_gap_days',
  's.last_retiered_at',
  's.stars',
  's.stars_fetched_at',
  's.notice',
  's.last_outcome',
  's.failing_since',
  's.settings',
  's.extra',
  ...Object.values(SETTINGS_WITH_COLUMN).map(([column]) => `s.${column}` as const),
] as const;

type ItemColumn = (typeof ITEM_COLUMNS)[number] extends `s.${infer Column extends keyof SourceRow}` ? Column : never;
type ItemRow = Pick<SourceRow, ItemColumn>;

export async function sourceItems(ctx: Context, rows: readonly SourceRow[]): Promise<SourceItem[]> {
  const around = await loadSurroundings(ctx, rows);
  return rows.map((row) => sourceItem(ctx, row, around.get(row.id) ?? NO_SURROUNDINGS));
}

// The sources that count for an org or a product.
export async function countedSourceItems(ctx: Context, owner: CountedOwner): Promise<SourceItem[]> {
  const rows = await sourcesAround(ctx)
    .select(ITEM_COLUMNS)
    .where(isCounted(owner))
    .orderBy('s.name_key')
    .orderBy('s.id')
    .execute();
  return rows.map((row) => sourceItem(ctx, row, surroundingsOf(row)));
}

// Returns the items in the order of the ids.
export async function sourceItemsOf(ctx: Context, ids: readonly string[]): Promise<SourceItem[]> {
  if (ids.length === 0) return [];
  const rows = await withSurroundings(ctx, ids).select(ITEM_COLUMNS).execute();
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => {
    const row = found.get(id);
    return row ? [sourceItem(ctx, row, surroundingsOf(row))] : [];
  });
}

export async function oneSourceRow(ctx: Context, row: SourceRow): Promise<SourceRowShape> {
  return sourceRowShape(ctx, row, (await loadSurroundings(ctx, [row])).get(row.id) ?? NO_SURROUNDINGS);
}

// The response of writes.
function sourceRowShape(ctx: Context, row: SourceRow, around: SourceSurroundings): SourceRowShape {
  return {
    ...sourceItem(ctx, row, around),
    org: around.org,
    lastContentHash: row.last_content_hash,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    deletedAt: row.deleted_at,
  };
}

// The fields that come from the row alone, for any config.
export function sourceRowFields(row: ItemRow) {
  return {
    id: row.id,
    slug: row.slug,
    name: row.name,
    type: row.type,
    url: row.url,
    productId: row.product_id,
    kind: row.kind,
    isPrimary: row.is_primary === 1,
    isHidden: row.is_hidden === 1,
    discovery: row.discovery,
    fetchPriority: row.fetch_priority,
    lastFetchedAt: row.last_fetched_at,
    lastPolledAt: row.last_polled_at,
    changeDetectedAt: row.change_detected_at,
    consecutiveNoChange: row.consecutive_no_change,
    consecutiveErrors: row.consecutive_errors,
    nextFetchAfter: row.next_fetch_after,
    medianGapDays: row.median_gap_days,
    lastRetieredAt: row.last_retiered_at,
    stars: row.stars,
    starsFetchedAt: row.stars_fetched_at,
    notice: row.notice && parseJson(row.notice),
    changelogUrl: row.changelog_url,
  } satisfies Partial<SourceItem>;
}

function sourceItem({ config }: Context, row: ItemRow, around: SourceSurroundings): SourceItem {
  const fields = sourceRowFields(row);
  return {
    id: fields.id,
    slug: fields.slug,
    name: fields.name,
    type: fields.type,
    url: fields.url,
    orgId: around.org?.id ?? null,
    orgSlug: around.org?.slug ?? null,
    orgName: around.org?.name ?? null,
    productId: around.product?.id ?? null,
    productSlug: around.product?.slug ?? null,
    productName: around.product?.name ?? null,
    kind: fields.kind,
    releaseCount: around.figures.release_count,
    latestVersion: around.figures.latest_version,
    latestDate: around.figures.latest_date,
    latestAddedAt: around.figures.latest_added_at,
    isPrimary: fields.isPrimary,
    isHidden: fields.isHidden,
    discovery: fields.discovery,
    fetchPriority: fields.fetchPriority,
    lastFetchedAt: fields.lastFetchedAt,
    lastPolledAt: fields.lastPolledAt,
    changeDetectedAt: fields.changeDetectedAt,
    consecutiveNoChange: fields.consecutiveNoChange,
    consecutiveErrors: fields.consecutiveErrors,
    nextFetchAfter: fields.nextFetchAfter,
    medianGapDays: fields.medianGapDays,
    lastRetieredAt: fields.lastRetieredAt,
    metadata: renderMetadata(row),
    stars: fields.stars,
    starsFetchedAt: fields.starsFetchedAt,
    notice: fields.notice,
    hasChangelogFile: around.hasChangelogFile,
    changelogUrl: fields.changelogUrl,
    fetchState: fetchState(row, config.pollHours),
  };
}

// The next check by the source's tier and the outcomes of its last runs; null for paused sources.
function nextCheckAt(row: ItemRow, pollHours: PollHours): string | null {
  const tier = tierMs(row.fetch_priority, pollHours);
  if (tier === null || (row.is_hidden && row.discovery === 'on_demand')) return null;
  if (!row.last_polled_at) return row.next_fetch_after;
  const byTier = new Date(Date.parse(row.last_polled_at) + tier).toISOString();
  return row.next_fetch_after && row.next_fetch_after > byTier ? row.next_fetch_after : byTier;
}

function fetchState(row: ItemRow, pollHours: PollHours): SourceItem['fetchState'] {
  const outcome = row.last_outcome;
  const nextCheck = nextCheckAt(row, pollHours);
  if (row.fetch_priority === 'paused') return { state: 'paused', outcome, since: row.failing_since, nextCheckAt: null };
  if (row.failing_since) return { state: 'failing', outcome, since: row.failing_since, nextCheckAt: nextCheck };
  if (!row.last_fetched_at) return { state: 'never_fetched', outcome, since: null, nextCheckAt: nextCheck };
  return { state: 'ok', outcome, since: null, nextCheckAt: nextCheck };
}

// The org, product and figures of sources, read with one statement for many.

interface SourceSurroundings {
  org: { id: string; slug: string; name: string } | null;
  product: { id: string; slug: string; name: string } | null;
  figures: {
    release_count: number;
    latest_version: string | null;
    latest_date: string | null;
    latest_added_at: string | null;
  };
  hasChangelogFile: boolean;
}

const NO_SURROUNDINGS: SourceSurroundings = {
  org: null,
  product: null,
  figures: { release_count: 0, latest_version: null, latest_date: null, latest_added_at: null },
  hasChangelogFile: false,
};

async function loadSurroundings(ctx: Context, rows: readonly SourceRow[]): Promise<Map<string, SourceSurroundings>> {
  if (rows.length === 0) return new Map();
  const ids = rows.map((row) => row.id);
  const found = await withSurroundings(ctx, ids).select('s.id').execute();
  return new Map(found.map((row) => [row.id, surroundingsOf(row)]));
}

function withSurroundings(ctx: Context, ids: readonly string[]) {
  return sourcesAround(ctx).where('s.id', 'in', ids);
}

function sourcesAround(ctx: Context) {
  return queries(ctx)
    .selectFrom('sources as s')
    .leftJoin('orgs as o', 'o.id', 's.org_id')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .leftJoin('source_figures as f', 'f.source_id', 's.id')
    .leftJoin('changelog_files as c', (join) => join.onRef('c.source_id', '=', 's.id').on('c.canonical', '=', 1))
    .select([
      'o.id as orgId',
      'o.slug as orgSlug',
      'o.name as orgName',
      'p.id as productId',
      'p.slug as productSlug',
      'p.name as productName',
      'f.release_count',
      'f.latest_version',
      'f.latest_date',
      'f.latest_added_at',
      'c.id as fileId',
    ]);
}

type SurroundingRow = Awaited<ReturnType<ReturnType<typeof withSurroundings>['execute']>>[number];

function surroundingsOf(row: SurroundingRow): SourceSurroundings {
  const { orgId, productId, release_count, latest_version, latest_date, latest_added_at } = row;
  return {
    org: orgId ? { id: orgId, slug: row.orgSlug ?? '', name: row.orgName ?? '' } : null,
    product: productId ? { id: productId, slug: row.productSlug ?? '', name: row.productName ?? '' } : null,
    figures: { release_count: release_count ?? 0, latest_version, latest_date, latest_added_at },
    hasChangelogFile: row.fileId !== null,
  };
}
