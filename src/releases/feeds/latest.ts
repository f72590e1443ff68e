// The feed of the whole registry, or of one org, source or product.
import { type Context, queries } from '../../context.ts';
import { badRequest } from '../../contract/errors.ts';
import type { ReleaseFeed } from '../../contract/release.ts';
import { resolveOrg, resolveProduct, resolveSourceByName } from '../../entities/resolve.ts';
import { readFeed } from './feed.ts';
import type { Branch, FeedFilter, FeedPage } from './feed-query.ts';

interface LatestScope {
  source?: string;
  org?: string;
  product?: string;
}

export async function latestReleases(
  ctx: Context,
  { scope, filter, page }: { scope: LatestScope; filter: FeedFilter; page: FeedPage },
): Promise<ReleaseFeed> {
  if (scope.source && scope.org) throw badRequest('source', 'source and org exclude each other');
  const narrowed = { ...filter };
  let branches: Branch[] | null = null;
  if (scope.product) {
    const { product } = await resolveProduct(ctx, { prod: scope.product }, { parameter: 'product' });
    branches = [{ column: 'product_id', value: product.id }];
  }
  if (scope.source) {
    const { source, visible } = await resolveSourceByName(ctx, scope.source, 'source');
    if (scope.product) narrowed.sourceIds = [source.id];
    else branches = [{ column: 'source_id', value: source.id }];
    narrowed.hidden = !visible;
  }
  if (scope.org) {
    const org = await resolveOrg(ctx, scope.org, { parameter: 'org' });
    if (org.is_hidden) Object.assign(narrowed, await hiddenOrgSources(ctx, org.id));
    if (scope.product) narrowed.sourceIds = await sourceIdsOfOrg(ctx, org.id);
    else branches = [{ column: 'org_id', value: org.id }];
  }
  return readFeed(ctx, { branches, filter: narrowed, page });
}

async function sourceIdsOfOrg(ctx: Context, orgId: string): Promise<string[]> {
  const rows = await ctx.store.read.selectFrom('sources').select('id').where('org_id', '=', orgId).execute();
  return rows.map((row) => row.id);
}

// A writer reads a hidden org like a visible one: its releases have the negative listing, and hidden sources are still
// left out.
async function hiddenOrgSources(ctx: Context, orgId: string): Promise<Pick<FeedFilter, 'hidden' | 'sourceIds'>> {
  const rows = await queries(ctx)
    .selectFrom('sources as s')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .select('s.id')
    .where('s.org_id', '=', orgId)
    .where('s.deleted_at', 'is', null)
    .where('s.is_hidden', '=', 0)
    .where((eb) => eb.or([eb('p.is_hidden', 'is', null), eb('p.is_hidden', '=', 0)]))
    .execute();
  return { hidden: true, sourceIds: rows.map((row) => row.id) };
}
