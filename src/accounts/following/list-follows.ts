// What an account follows, and the feed of its releases. Hidden and deleted targets are left out until they are shown
// again.
import { readFeed } from '../../catalog/releases/feed.ts';
import type { Branch, FeedFilter, FeedPage } from '../../catalog/releases/feed-query.ts';
import { type Context, queries } from '../../context.ts';
import type { Follow, PersonalFeed, TargetType } from '../../contract/account.ts';
import { ownAccount } from '../describe-caller.ts';

export async function listFollows(ctx: Context, input: { targetType?: TargetType }): Promise<{ follows: Follow[] }> {
  const { userId } = ownAccount(ctx);
  const parts = [
    ...(input.targetType === 'product' ? [] : await followedOrgs(ctx, userId)),
    ...(input.targetType === 'org' ? [] : await followedProducts(ctx, userId)),
  ];
  return { follows: parts.sort(newestFirst) };
}

// The orgs and products whose releases the personal feed holds.
export async function followedTargets(ctx: Context, userId: string): Promise<{ orgs: string[]; products: string[] }> {
  const rows = await queries(ctx)
    .selectFrom('follows')
    .select(['target_type', 'target_id'])
    .where('user_id', '=', userId)
    .execute();
  const of = (type: string) => rows.filter((row) => row.target_type === type).map((row) => row.target_id);
  return { orgs: of('org'), products: of('product') };
}

async function followedOrgs(ctx: Context, userId: string): Promise<Follow[]> {
  const rows = await queries(ctx)
    .selectFrom('follows as f')
    .innerJoin('orgs as o', 'o.id', 'f.target_id')
    .select(['f.target_id as targetId', 'f.created_at as createdAt', 'o.name', 'o.slug', 'o.avatar_url as avatarUrl'])
    .where('f.user_id', '=', userId)
    .where('f.target_type', '=', 'org')
    .where('o.deleted_at', 'is', null)
    .where('o.is_hidden', '=', 0)
    .execute();
  return rows.map((row) => ({ targetType: 'org', ...row, orgSlug: null }));
}

async function followedProducts(ctx: Context, userId: string): Promise<Follow[]> {
  const rows = await queries(ctx)
    .selectFrom('follows as f')
    .innerJoin('products as p', 'p.id', 'f.target_id')
    .innerJoin('orgs as o', 'o.id', 'p.org_id')
    .select(['f.target_id as targetId', 'f.created_at as createdAt', 'p.name', 'p.slug', 'o.slug as orgSlug'])
    .select((eb) => eb.fn.coalesce('p.avatar_url', 'o.avatar_url').as('avatarUrl'))
    .where('f.user_id', '=', userId)
    .where('f.target_type', '=', 'product')
    .where('p.deleted_at', 'is', null)
    .where('p.is_hidden', '=', 0)
    .where('o.deleted_at', 'is', null)
    .where('o.is_hidden', '=', 0)
    .execute();
  return rows.map((row) => ({ targetType: 'product', ...row }));
}

function newestFirst(a: Follow, b: Follow): number {
  if (a.createdAt !== b.createdAt) return a.createdAt < b.createdAt ? 1 : -1;
  return a.targetId < b.targetId ? 1 : -1;
}

export async function personalFeed(ctx: Context, input: { filter: FeedFilter; page: FeedPage }): Promise<PersonalFeed> {
  const { userId } = ownAccount(ctx);
  const { releases, pagination } = await readFeed(ctx, {
    branches: await followedBranches(ctx, userId),
    filter: input.filter,
    page: { ...input.page, includeContent: false },
  });
  return { items: releases, pagination };
}

export async function followedBranches(ctx: Context, userId: string): Promise<Branch[]> {
  const { orgs, products } = await followedTargets(ctx, userId);
  return [
    ...orgs.map((value): Branch => ({ column: 'org_id', value })),
    ...products.map((value): Branch => ({ column: 'product_id', value })),
  ];
}
