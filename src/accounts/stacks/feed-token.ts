// The address of a stack's feed. Its token has the form of the personal feed's, and is replaced and closed like it.
import { type Context, now, queries, transact } from '../../context.ts';
import type { FeedTokenAnswer } from '../../contract/account.ts';
import type { StackFeedRow, StackRow } from '../../store/schema/stacks.ts';
import { FEED_TOKEN_FORM } from '../following/feed-token.ts';
import { digest, randomBase62, sameDigest } from '../machine-token.ts';
import { reseal, type SealPurpose, seal, unseal } from '../sealing.ts';
import { ownStack } from './manage.ts';

const NOBODY = digest('no stack has this secret');
const USE_NOTED_EVERY_MS = 60_000;

type ShownToken = NonNullable<FeedTokenAnswer['token']>;

export async function readStackFeed(ctx: Context, input: { name: string }): Promise<FeedTokenAnswer> {
  const stack = await ownStack(ctx, input.name);
  const row = await queries(ctx)
    .selectFrom('stack_feeds')
    .selectAll()
    .where('stack_id', '=', stack.id)
    .executeTakeFirst();
  const secret = row ? secretOf(ctx, row) : null;
  return { token: row && secret !== null ? shown(ctx, row, secret) : null };
}

// Replaces the stored token, whose address stops working at once.
export async function createStackFeed(ctx: Context, input: { name: string }): Promise<ShownToken> {
  const stack = await ownStack(ctx, input.name);
  const lookup = randomBase62(12, ctx.randomBytes);
  const secret = randomBase62(32, ctx.randomBytes);
  const row: StackFeedRow = {
    stack_id: stack.id,
    lookup_id: lookup,
    secret: seal(ctx, purposeOf(lookup), Buffer.from(secret)),
    created_at: now(ctx),
    last_used_at: null,
    content_hash: null,
    modified_at: null,
  };
  const { stack_id, ...columns } = row;
  await transact(
    ctx,
    ({ tx }) =>
      tx
        .insertInto('stack_feeds')
        .values(row)
        .onConflict((conflict) => conflict.column('stack_id').doUpdateSet(columns))
        .execute(),
    'bookkeeping',
  );
  return shown(ctx, row, secret);
}

// Idempotent: a stack without a feed is not an error.
export async function deleteStackFeed(ctx: Context, input: { name: string }): Promise<void> {
  const stack = await ownStack(ctx, input.name);
  await transact(
    ctx,
    ({ tx }) => tx.deleteFrom('stack_feeds').where('stack_id', '=', stack.id).execute(),
    'bookkeeping',
  );
}

// The stack whose feed the token opens; null for every value that opens none.
export async function openStackFeed(ctx: Context, token: string): Promise<StackRow | null> {
  const { lookup, secret } = FEED_TOKEN_FORM.exec(token)?.groups ?? {};
  if (!lookup || !secret) return null;
  const row = await queries(ctx)
    .selectFrom('stack_feeds as t')
    .innerJoin('stacks as k', 'k.id', 't.stack_id')
    .innerJoin('users as u', 'u.id', 'k.user_id')
    .selectAll('t')
    .where('t.lookup_id', '=', lookup)
    .where('u.disabled_at', 'is', null)
    .executeTakeFirst();
  const stored = row ? secretOf(ctx, row) : null;
  // An unknown token costs the same comparison as a known one.
  if (!sameDigest(digest(secret), stored === null ? NOBODY : digest(stored)) || !row) return null;
  await noteUse(ctx, row);
  const stack = await queries(ctx).selectFrom('stacks').selectAll().where('id', '=', row.stack_id).executeTakeFirst();
  return stack ?? null;
}

// A failed write of the last use must not fail the feed.
async function noteUse(ctx: Context, { lookup_id, last_used_at }: StackFeedRow): Promise<void> {
  const at = ctx.clock();
  if (last_used_at !== null && at.getTime() - Date.parse(last_used_at) < USE_NOTED_EVERY_MS) return;
  const used = { last_used_at: at.toISOString() };
  await transact(
    ctx,
    ({ tx }) => tx.updateTable('stack_feeds').set(used).where('lookup_id', '=', lookup_id).execute(),
    'bookkeeping',
  ).catch((err) => ctx.log.warn({ err }, 'the use of a feed of a stack could not be noted'));
}

function secretOf(ctx: Context, { lookup_id, secret }: StackFeedRow): string | null {
  const value = unseal(ctx, purposeOf(lookup_id), secret);
  return value === null ? null : Buffer.from(value).toString();
}

function purposeOf(lookup: string): SealPurpose {
  return { info: 'stack-feed/1', belongsTo: lookup };
}

function shown(ctx: Context, row: StackFeedRow, secret: string): ShownToken {
  return {
    feedUrl: `${ctx.config.baseUrl}/v1/feed/stack/relf_${row.lookup_id}_${secret}.atom`,
    lookupId: row.lookup_id,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}

// An account has at most twenty stacks, so these are few.
export async function reencryptStackFeeds(ctx: Context): Promise<{ moved: number; unreadable: number }> {
  const result = { moved: 0, unreadable: 0 };
  const rows = await ctx.store.read.selectFrom('stack_feeds').select(['lookup_id', 'secret']).execute();
  await transact(
    ctx,
    async ({ tx }) => {
      for (const { lookup_id, secret } of rows) {
        const moved = reseal(ctx, purposeOf(lookup_id), secret);
        if (moved === null) result.unreadable += 1;
        if (moved === null || moved === secret) continue;
        await tx.updateTable('stack_feeds').set({ secret: moved }).where('lookup_id', '=', lookup_id).execute();
        result.moved += 1;
      }
    },
    'bookkeeping',
  );
  return result;
}
