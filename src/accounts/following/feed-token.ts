// The address of an account's private feed.
import { type Context, queries, transact } from '../../context.ts';
import type { FeedTokenAnswer } from '../../contract/account.ts';
import type { FeedTokenRow } from '../../store/schema/accounts.ts';
import { ownAccount } from '../describe-caller.ts';
import {
  type FeedKind,
  feedTokenParts,
  newFeed,
  noteFeedUse,
  opensFeed,
  readableFeed,
  type ShownFeed,
  shownFeed,
} from '../feed-secret.ts';

export const PRIVATE_FEED: FeedKind = { table: 'feed_tokens', info: 'feed-token/1', path: '/v1/feed' };

export async function readFeedToken(ctx: Context): Promise<FeedTokenAnswer> {
  const { userId } = ownAccount(ctx);
  const row = await queries(ctx).selectFrom('feed_tokens').selectAll().where('user_id', '=', userId).executeTakeFirst();
  return { token: readableFeed(ctx, PRIVATE_FEED, row) };
}

// Replaces the stored token, whose address stops working at once.
export async function createFeedToken(ctx: Context): Promise<ShownFeed> {
  const { userId } = ownAccount(ctx);
  const feed = newFeed(ctx, PRIVATE_FEED);
  await transact(
    ctx,
    ({ tx }) =>
      tx
        .insertInto('feed_tokens')
        .values({ user_id: userId, ...feed.columns })
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(feed.columns))
        .execute(),
    'bookkeeping',
  );
  return shownFeed(ctx, PRIVATE_FEED, feed);
}

// Idempotent: an account without a token is not an error.
export async function deleteFeedToken(ctx: Context): Promise<void> {
  const { userId } = ownAccount(ctx);
  await transact(ctx, ({ tx }) => tx.deleteFrom('feed_tokens').where('user_id', '=', userId).execute(), 'bookkeeping');
}

// The row of the token, and with it the account whose feed it opens; null for every value that opens none.
export async function openFeedToken(ctx: Context, token: string): Promise<FeedTokenRow | null> {
  const parts = feedTokenParts(token);
  if (parts === null) return null;
  const row = await queries(ctx)
    .selectFrom('feed_tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .selectAll('t')
    .where('t.lookup_id', '=', parts.lookup)
    .where('u.disabled_at', 'is', null)
    .executeTakeFirst();
  if (!opensFeed(ctx, PRIVATE_FEED, row, parts.secret) || !row) return null;
  await noteFeedUse(ctx, PRIVATE_FEED, row);
  return row;
}
