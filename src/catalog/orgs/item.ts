import { sql } from 'kysely';
import { type Context, now, queries } from '../../context.ts';
import type { OrgListItem } from '../../contract/org.ts';
import { utcDay } from '../../domain/timestamps.ts';
import type { OrgRow } from '../../store/schema/orgs.ts';
import { firstOfLast, recentCount, SPARKLINE_DAYS, sparkline } from '../activity/pace.ts';
import { loadOrgFigures } from './figures.ts';
import { orgCore } from './org-fields.ts';

const TOP_PRODUCTS = 3;

// The columns that a list shows.
export const LISTED_COLUMNS = [
  'id',
  'slug',
  'name',
  'domain',
  'description',
  'category',
  'avatar_url',
  'featured',
  'status',
  'tracking_requested_at',
] as const satisfies (keyof OrgRow)[];

type ListedOrg = Pick<OrgRow, (typeof LISTED_COLUMNS)[number]>;

export async function orgListItems(ctx: Context, rows: readonly ListedOrg[]): Promise<OrgListItem[]> {
  const orgIds = rows.map((row) => row.id);
  const today = utcDay(now(ctx));
  const figures = await loadOrgFigures(ctx, { orgIds, from: firstOfLast(SPARKLINE_DAYS, today) });
  const extras = await loadExtras(ctx, orgIds);
  return rows.map((row) => {
    const own = figures.get(row.id);
    const days = own?.days ?? new Map();
    return {
      ...listedFields(row, extras),
      sourceCount: own?.sourceCount ?? 0,
      releaseCount: own?.releaseCount ?? 0,
      recentReleaseCount: recentCount(days, today),
      lastActivity: own?.lastActivity ?? null,
      sparkline: sparkline(days, today),
    };
  });
}

// The list of orgs that users asked to be tracked: none of them has figures worth a query.
export async function trackingListItems(ctx: Context, rows: readonly ListedOrg[]): Promise<OrgListItem[]> {
  const extras = await loadExtras(
    ctx,
    rows.map((row) => row.id),
  );
  return rows.map((row) => ({
    ...listedFields(row, extras),
    sourceCount: 0,
    releaseCount: 0,
    recentReleaseCount: 0,
    lastActivity: null,
    sparkline: sparkline(new Map(), utcDay(now(ctx))),
    trackingRequestedAt: row.tracking_requested_at,
  }));
}

function listedFields(row: ListedOrg, extras: OrgListExtras) {
  return {
    ...orgCore(row),
    featured: row.featured === 1,
    status: row.status,
    topProducts: extras.products.get(row.id) ?? [],
    aliasDomains: extras.aliases.get(row.id) ?? [],
  };
}

interface OrgListExtras {
  products: Map<string, string[]>;
  aliases: Map<string, string[]>;
}

async function loadExtras(ctx: Context, orgIds: readonly string[]): Promise<OrgListExtras> {
  if (orgIds.length === 0) return { products: new Map(), aliases: new Map() };
  const ranked = queries(ctx)
    .selectFrom('products')
    .select(['org_id', 'name'])
    .select(sql<number>`ROW_NUMBER() OVER (PARTITION BY org_id ORDER BY name_key, id)`.as('rank'))
    .where(ctx.store.dialect.amongIds('org_id', orgIds))
    .where('deleted_at', 'is', null)
    .where('is_hidden', '=', 0);
  const products = await queries(ctx)
    .selectFrom(ranked.as('ranked'))
    .select(['org_id', 'name'])
    .where('rank', '<=', TOP_PRODUCTS)
    .orderBy('rank')
    .execute();
  const aliases = await queries(ctx)
    .selectFrom('domain_aliases')
    .select(['org_id', 'domain'])
    .where(ctx.store.dialect.amongIds('org_id', orgIds))
    .where('deleted_at', 'is', null)
    .orderBy('domain')
    .execute();
  return {
    products: listsBy(products, (row) => [row.org_id, row.name]),
    aliases: listsBy(aliases, (row) => [row.org_id ?? '', row.domain]),
  };
}

function listsBy<T>(rows: readonly T[], entry: (row: T) => [key: string, value: string]): Map<string, string[]> {
  const lists = new Map<string, string[]>();
  for (const row of rows) {
    const [key, value] = entry(row);
    const list = lists.get(key);
    if (list) list.push(value);
    else lists.set(key, [value]);
  }
  return lists;
}
