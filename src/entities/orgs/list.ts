import { sql } from 'kysely';
import { type Context, now, queries } from '../../context.ts';
import { holdsScope } from '../../contract/caller.ts';
import type { Category } from '../../contract/enums.ts';
import { ApiError, badRequest } from '../../contract/errors.ts';
import type { OrgList, OrgListItem } from '../../contract/org.ts';
import { paginate } from '../../contract/pagination.ts';
import { foldName } from '../../domain/clean-text.ts';
import { utcDay } from '../../domain/timestamps.ts';
import { together } from '../../store/pipeline.ts';
import { ONE_PLAN } from '../../store/query-builder.ts';
import type { OrgRow } from '../../store/schema/orgs.ts';
import { firstOfLast, recentCount, SPARKLINE_DAYS, sparkline } from '../activity/counts.ts';
import { findCategory } from '../taxonomy/category.ts';
import { containsFolded } from '../visible.ts';
import { loadOrgFigures, orgCore } from './org-fields.ts';

export interface OrgListInput {
  q?: string;
  // An unknown category filters nothing.
  category?: string;
  page: number;
  limit: number;
  includeEmpty?: boolean;
  featured?: boolean;
  status?: 'stub' | 'tracked';
  includeHidden?: boolean;
  // The raw value is passed on, because any value at all needs the admin scope.
  trackingRequested?: string;
}

type Filter = { category: Category | null; q?: string };

export async function listOrgs(ctx: Context, input: OrgListInput): Promise<OrgList> {
  const tracking = readTracking(ctx, input.trackingRequested);
  const category = input.category ? await findCategory(ctx, input.category) : null;
  const orgs = tracking
    ? requestedOrgs(ctx, { ...input, category })
    : listedOrgs(ctx, { ...input, category, includeHidden: input.includeHidden && holdsScope(ctx.caller, 'admin') });
  let page = orgs.select(LISTED_COLUMNS);
  if (tracking) page = page.orderBy('tracking_requested_at', 'desc');
  else page = page.orderBy('name_key');
  page = page.orderBy('id').limit(sql.lit(input.limit));
  if (input.page > 1) page = page.offset((input.page - 1) * input.limit);
  // How many orgs a filter leaves depends on its values.
  const isWhole = !tracking && !input.q && !category && input.featured === undefined && !input.status;
  const plan = isWhole ? ONE_PLAN : sql``;
  const [counted, rows, emptyOrgCount] = await together([
    orgs
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .modifyEnd(plan)
      .executeTakeFirst(),
    page.modifyEnd(plan).execute(),
    countEmpty(ctx, category),
  ]);
  return {
    items: tracking ? await trackingListItems(ctx, rows) : await orgListItems(ctx, rows),
    pagination: paginate({ ...input, returned: rows.length, total: Number(counted?.total ?? 0) }),
    meta: { emptyOrgCount },
  };
}

// Those with a release that an operator has chosen for the home page, by name.
export async function featuredOrgs(ctx: Context, limit: number): Promise<OrgListItem[]> {
  const orgs = listedOrgs(ctx, { category: null, page: 1, limit, featured: true }).select(LISTED_COLUMNS);
  return orgListItems(ctx, await orgs.orderBy('name_key').orderBy('id').limit(limit).execute());
}

function readTracking(ctx: Context, value: string | undefined): boolean {
  if (value === undefined) return false;
  if (!holdsScope(ctx.caller, 'admin')) {
    throw new ApiError('forbidden', 'trackingRequested needs the scope admin', { parameter: 'trackingRequested' });
  }
  if (value === '1' || value === 'true') return true;
  if (value === '0' || value === 'false') return false;
  throw badRequest('trackingRequested', 'must be true, false, 1 or 0');
}

function listedOrgs(ctx: Context, input: Omit<OrgListInput, 'category'> & Filter) {
  let orgs = matching(ctx, input);
  // Written out, so that a server which keeps the plan knows that nearly all orgs are meant.
  if (!input.includeHidden) orgs = orgs.where('is_hidden', '=', sql.lit(0));
  if (!input.includeEmpty) orgs = orgs.where('release_count', '>', sql.lit(0));
  if (input.featured !== undefined) orgs = orgs.where('featured', '=', input.featured ? 1 : 0);
  if (input.status) orgs = orgs.where('status', '=', input.status);
  return orgs;
}

function requestedOrgs(ctx: Context, filter: Filter) {
  return matching(ctx, filter).where('tracking_requested_at', 'is not', null);
}

function matching(ctx: Context, { q, category }: Filter) {
  let orgs = queries(ctx).selectFrom('orgs').where('deleted_at', 'is', null);
  if (category) orgs = orgs.where('category', '=', category);
  if (q) {
    const text = foldName(q);
    orgs = orgs.where((eb) => eb.or([containsFolded('name_key', text), containsFolded('slug', text)]));
  }
  return orgs;
}

async function countEmpty(ctx: Context, category: Category | null): Promise<number> {
  const row = await matching(ctx, { category })
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('is_hidden', '=', 0)
    .where('release_count', '=', 0)
    .executeTakeFirst();
  return Number(row?.total ?? 0);
}

const TOP_PRODUCTS = 3;

// The columns that a list shows.
const LISTED_COLUMNS = [
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

async function orgListItems(ctx: Context, rows: readonly ListedOrg[]): Promise<OrgListItem[]> {
  const orgIds = rows.map((row) => row.id);
  const today = utcDay(now(ctx));
  const [figures, extras] = await together([
    loadOrgFigures(ctx, { orgIds, from: firstOfLast(SPARKLINE_DAYS, today) }),
    loadExtras(ctx, orgIds),
  ]);
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
async function trackingListItems(ctx: Context, rows: readonly ListedOrg[]): Promise<OrgListItem[]> {
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
  const [products, aliases] = await together([
    queries(ctx)
      .selectFrom(ranked.as('ranked'))
      .select(['org_id', 'name'])
      .where('rank', '<=', TOP_PRODUCTS)
      .orderBy('rank')
      .modifyEnd(ONE_PLAN)
      .execute(),
    queries(ctx)
      .selectFrom('domain_aliases')
      .select(['org_id', 'domain'])
      .where(ctx.store.dialect.amongIds('org_id', orgIds))
      .where('deleted_at', 'is', null)
      .orderBy('domain')
      .execute(),
  ]);
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
