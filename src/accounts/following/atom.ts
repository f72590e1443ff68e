// The private feed of an account: releases of everything that it follows.
import { type Context, queries } from '../../context.ts';
import { notFound } from '../../contract/errors.ts';
import { onBehalfOf } from '../on-behalf-of.ts';
import { type PrivateFeed, type PrivateFeedInput, privateFeed, tokenOf } from '../private-feed.ts';
import { openFeedToken, PRIVATE_FEED } from './feed-token.ts';
import { followedReleases } from './list-follows.ts';

export async function privateAtomFeed(ctx: Context, input: PrivateFeedInput): Promise<PrivateFeed> {
  const opened = await openFeedToken(ctx, tokenOf(input));
  if (opened === null) throw notFound('feed', '');
  const { user_id: userId } = opened;
  const user = await queries(ctx).selectFrom('users').select('created_at').where('id', '=', userId).executeTakeFirst();
  const { branches, only } = await followedReleases(onBehalfOf(ctx, userId), userId);
  const createdAt = user?.created_at ?? new Date(0).toISOString();
  const words = { id: `user/${userId}`, title: 'Following', page: '/following' };
  return privateFeed(ctx, { kind: PRIVATE_FEED, opened, ...words, createdAt, branches, only }, input);
}
