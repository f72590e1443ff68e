// The releases of everything that an account follows, each once.
import { readFeed } from '../../catalog/releases/feed.ts';
import type { Branch, FeedFilter, FeedPage } from '../../catalog/releases/feed-query.ts';
import type { Context } from '../../context.ts';
import type { PersonalFeed } from '../../contract/account.ts';
import { ownAccount } from '../own-account.ts';
import { followedTargets } from './list-follows.ts';

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
