// The address of a stack's feed. Its token has the form of the personal feed's, and is replaced and closed like it.
import { type Context, queries, transact } from '../../context.ts';
import type { FeedTokenAnswer } from '../../contract/account.ts';
import type { StackFeedRow, StackRow } from '../../store/schema/stacks.ts';
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
import { ownStack } from './manage.ts';

export const STACK_FEED: FeedKind = { table: 'stack_feeds', info: 'stack-feed/1', path: '/v1/feed/stack' };

export async function readStackFeed(ctx: Context, input: { name: string }): Promise<FeedTokenAnswer> {
  const { id } = await ownStack(ctx, input.name);
  const row = await queries(ctx).selectFrom('stack_feeds').selectAll().where('stack_id', '=', id).executeTakeFirst();
  return { token: readableFeed(ctx, STACK_FEED, row) };
}

// Replaces the stored token, whose address stops working at once.
export async function createStackFeed(ctx: Context, input: { name: string }): Promise<ShownFeed> {
  const { id } = await ownStack(ctx, input.name);
  const feed = newFeed(ctx, STACK_FEED);
  await transact(
    ctx,
    ({ tx }) =>
      tx
        .insertInto('stack_feeds')
        .values({ stack_id: id, ...feed.columns })
        .onConflict((conflict) => conflict.column('stack_id').doUpdateSet(feed.columns))
        .execute(),
    'bookkeeping',
  );
  return shownFeed(ctx, STACK_FEED, feed);
}

// Idempotent: a stack without a feed is not an error.
export async function deleteStackFeed(ctx: Context, input: { name: string }): Promise<void> {
  const { id } = await ownStack(ctx, input.name);
  await transact(ctx, ({ tx }) => tx.deleteFrom('stack_feeds').where('stack_id', '=', id).execute(), 'bookkeeping');
}

interface OpenedStack {
  opened: StackFeedRow;
  stack: StackRow;
}

// The stack whose feed the token opens; null for every value that opens none.
export async function openStackFeed(ctx: Context, token: string): Promise<OpenedStack | null> {
  const parts = feedTokenParts(token);
  if (parts === null) return null;
  const row = await queries(ctx)
    .selectFrom('stack_feeds as t')
    .innerJoin('stacks as k', 'k.id', 't.stack_id')
    .innerJoin('users as u', 'u.id', 'k.user_id')
    .selectAll('t')
    .where('t.lookup_id', '=', parts.lookup)
    .where('u.disabled_at', 'is', null)
    .executeTakeFirst();
  if (!opensFeed(ctx, STACK_FEED, row, parts.secret) || !row) return null;
  await noteFeedUse(ctx, STACK_FEED, row);
  const stack = await queries(ctx).selectFrom('stacks').selectAll().where('id', '=', row.stack_id).executeTakeFirst();
  return stack ? { opened: row, stack } : null;
}
