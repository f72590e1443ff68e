import { type Context, queries } from '../../context.ts';
import { holdsScope } from '../../contract/caller.ts';
import type { Category } from '../../contract/enums.ts';
import { ApiError, badRequest } from '../../contract/errors.ts';
import type { OrgList } from '../../contract/org.ts';
import { paginate } from '../../contract/pagination.ts';
import { foldName } from '../../domain/clean-text.ts';
import { containsFolded } from '../visible.ts';
import { findCategory } from './category.ts';
import { LISTED_COLUMNS, orgListItems, trackingListItems } from './item.ts';

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
  const counted = await orgs.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirst();
  let page = orgs.select(LISTED_COLUMNS);
  if (tracking) page = page.orderBy('tracking_requested_at', 'desc');
  else page = page.orderBy('name_key');
  const rows = await page
    .orderBy('id')
    .limit(input.limit)
    .offset((input.page - 1) * input.limit)
    .execute();
  return {
    items: tracking ? await trackingListItems(ctx, rows) : await orgListItems(ctx, rows),
    pagination: paginate({ ...input, returned: rows.length, total: Number(counted?.total ?? 0) }),
    meta: { emptyOrgCount: await countEmpty(ctx, category) },
  };
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
  if (!input.includeHidden) orgs = orgs.where('is_hidden', '=', 0);
  if (!input.includeEmpty) orgs = orgs.where('release_count', '>', 0);
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
