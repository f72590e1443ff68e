// The combined feed of a collection's visible members: one range of an index for each org or product.
import { addDependencies, type Context, queries } from '../../context.ts';
import type { ReleaseFeed } from '../../contract/release.ts';
import { toProductId } from '../../domain/ids.ts';
import { ownedFeed } from '../markdown/release.ts';
import { readFeed } from '../releases/feed.ts';
import type { Branch, FeedFilter, FeedPage } from '../releases/feed-query.ts';
import { resolveCollection } from './detail.ts';

interface CollectionFeedInput {
  collection: string;
  // Slugs or ids. When one of the lists is given, only the named members count.
  orgs?: readonly string[];
  products?: readonly string[];
  filter: FeedFilter;
  page: FeedPage;
}

export async function collectionFeed(ctx: Context, input: CollectionFeedInput): Promise<ReleaseFeed> {
  const collection = await resolveCollection(ctx, input.collection);
  const members = (await memberKeys(ctx, collection.id)).filter(named(input));
  const feed = await readFeed(ctx, { branches: branchesOf(ctx, members), filter: input.filter, page: input.page });
  return ownedFeed(feed, { collection: collection.slug, collection_name: collection.name });
}

export async function collectionBranches(ctx: Context, collectionId: string): Promise<Branch[]> {
  return branchesOf(ctx, await memberKeys(ctx, collectionId));
}

interface MemberKey {
  orgId: string;
  orgSlug: string | null;
  productId: string | null;
  productSlug: string | null;
}

// The ids of visible members, without the columns of the wire shape.
export async function memberKeys(ctx: Context, collectionId: string): Promise<MemberKey[]> {
  const orgs = await queries(ctx)
    .selectFrom('collection_members as m')
    .innerJoin('orgs as o', 'o.id', 'm.org_id')
    .select(['o.id as orgId', 'o.slug as orgSlug'])
    .where('m.collection_id', '=', collectionId)
    .where('m.org_id', 'is not', null)
    .where('o.deleted_at', 'is', null)
    .where('o.is_hidden', '=', 0)
    .execute();
  const products = await queries(ctx)
    .selectFrom('collection_members as m')
    .innerJoin('products as p', 'p.id', 'm.product_id')
    .innerJoin('orgs as o', 'o.id', 'p.org_id')
    .select(['p.org_id as orgId', 'p.id as productId', 'p.slug as productSlug'])
    .where('m.collection_id', '=', collectionId)
    .where('m.product_id', 'is not', null)
    .where('p.deleted_at', 'is', null)
    .where('p.is_hidden', '=', 0)
    .where('o.deleted_at', 'is', null)
    .where('o.is_hidden', '=', 0)
    .execute();
  return [
    ...orgs.map((org) => ({ ...org, productId: null, productSlug: null })),
    ...products.map((product) => ({ ...product, orgSlug: null })),
  ];
}

function named({ orgs, products }: Pick<CollectionFeedInput, 'orgs' | 'products'>): (member: MemberKey) => boolean {
  if (orgs === undefined && products === undefined) return () => true;
  const orgNames = new Set(orgs ?? []);
  const productNames = new Set((products ?? []).map(toProductId));
  return ({ orgId, orgSlug, productId, productSlug }) =>
    productId === null
      ? orgNames.has(orgId) || orgNames.has(orgSlug ?? '')
      : productNames.has(productId) || productNames.has(productSlug ?? '');
}

// The range of an org contains those of its products.
function branchesOf(ctx: Context, members: readonly MemberKey[]): Branch[] {
  addDependencies(ctx, ...members.map(({ orgId, productId }) => productId ?? orgId));
  const orgIds = new Set(members.filter((member) => member.productId === null).map((member) => member.orgId));
  const products = members.filter((member) => member.productId !== null && !orgIds.has(member.orgId));
  return [
    ...[...orgIds].map((value): Branch => ({ column: 'org_id', value })),
    ...products.map((member): Branch => ({ column: 'product_id', value: member.productId ?? '' })),
  ];
}
