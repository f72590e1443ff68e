// The combined feed of a collection's visible members: one range of an index for each org or product.
import { addDependencies, type Context } from '../../context.ts';
import type { ReleaseFeed } from '../../contract/release.ts';
import { toProductId } from '../../domain/ids.ts';
import { type MemberKey, memberKeys, resolveCollection } from '../../entities/collections/detail.ts';
import { ownedFeed } from '../markdown/release.ts';
import { readFeed } from './feed.ts';
import type { Branch, FeedFilter, FeedPage } from './feed-query.ts';

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
