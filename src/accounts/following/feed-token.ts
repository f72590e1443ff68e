// The address of an account's private feed. It can be read again, so its secret is encrypted, not digested.
import { type Context, now, queries, transact } from '../../context.ts';
import type { FeedTokenAnswer } from '../../contract/account.ts';
import type { FeedTokenRow } from '../../store/schema/accounts.ts';
import { ownAccount } from '../describe-caller.ts';
import { digest, randomBase62, sameDigest } from '../machine-token.ts';
import { reseal, type SealPurpose, seal, unseal } from '../sealing.ts';

export const FEED_TOKEN_FORM = /^relf_(?<lookup>[0-9A-Za-z]{12})_(?<secret>[0-9A-Za-z]{32})$/;
const USE_NOTED_EVERY_MS = 60_000;
const NOBODY = digest('no feed has this secret');

type ShownToken = NonNullable<FeedTokenAnswer['token']>;

export async function readFeedToken(ctx: Context): Promise<FeedTokenAnswer> {
  const { userId } = ownAccount(ctx);
  const row = await queries(ctx).selectFrom('feed_tokens').selectAll().where('user_id', '=', userId).executeTakeFirst();
  const secret = row ? secretOf(ctx, row) : null;
  return { token: row && secret !== null ? shown(ctx, row, secret) : null };
}

// Replaces the stored token, whose address stops working at once.
export async function createFeedToken(ctx: Context): Promise<ShownToken> {
  const { userId } = ownAccount(ctx);
  const lookup = randomBase62(12, ctx.randomBytes);
  const secret = randomBase62(32, ctx.randomBytes);
  const row: FeedTokenRow = {
    user_id: userId,
    lookup_id: lookup,
    secret: seal(ctx, purposeOf(lookup), Buffer.from(secret)),
    created_at: now(ctx),
    last_used_at: null,
    content_hash: null,
    modified_at: null,
  };
  const { user_id, ...columns } = row;
  await transact(
    ctx,
    ({ tx }) =>
      tx
        .insertInto('feed_tokens')
        .values(row)
        .onConflict((conflict) => conflict.column('user_id').doUpdateSet(columns))
        .execute(),
    'bookkeeping',
  );
  return shown(ctx, row, secret);
}

// Idempotent: an account without a token is not an error.
export async function deleteFeedToken(ctx: Context): Promise<void> {
  const { userId } = ownAccount(ctx);
  await transact(ctx, ({ tx }) => tx.deleteFrom('feed_tokens').where('user_id', '=', userId).execute(), 'bookkeeping');
}

// The row of the token, and with it the account whose feed it opens; null for every value that opens none.
export async function openFeedToken(ctx: Context, token: string): Promise<FeedTokenRow | null> {
  const { lookup, secret } = FEED_TOKEN_FORM.exec(token)?.groups ?? {};
  if (!lookup || !secret) return null;
  const row = await queries(ctx)
    .selectFrom('feed_tokens as t')
    .innerJoin('users as u', 'u.id', 't.user_id')
    .selectAll('t')
    .where('t.lookup_id', '=', lookup)
    .where('u.disabled_at', 'is', null)
    .executeTakeFirst();
  const stored = row ? secretOf(ctx, row) : null;
  // An unknown token costs the same comparison as a known one.
  if (!sameDigest(digest(secret), stored === null ? NOBODY : digest(stored)) || !row) return null;
  await noteUse(ctx, row);
  return row;
}

// A failed write of the last use must not fail the feed.
async function noteUse(ctx: Context, { lookup_id, last_used_at }: FeedTokenRow): Promise<void> {
  const at = ctx.clock();
  if (last_used_at !== null && at.getTime() - Date.parse(last_used_at) < USE_NOTED_EVERY_MS) return;
  try {
    await transact(
      ctx,
      ({ tx }) =>
        tx
          .updateTable('feed_tokens')
          .set({ last_used_at: at.toISOString() })
          .where('lookup_id', '=', lookup_id)
          .execute(),
      'bookkeeping',
    );
  } catch (error) {
    ctx.log.warn({ err: error }, 'the use of a private feed could not be noted');
  }
}

function secretOf(ctx: Context, { lookup_id, secret }: FeedTokenRow): string | null {
  const value = unseal(ctx, purposeOf(lookup_id), secret);
  return value === null ? null : Buffer.from(value).toString();
}

function purposeOf(lookup: string): SealPurpose {
  return { info: 'feed-token/1', belongsTo: lookup };
}

function shown(ctx: Context, row: FeedTokenRow, secret: string): ShownToken {
  return {
    feedUrl: `${ctx.config.baseUrl}/v1/feed/relf_${row.lookup_id}_${secret}.atom`,
    lookupId: row.lookup_id,
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}

export interface Reencryption {
  moved: number;
  // Values encrypted with a secret that is no longer configured.
  unreadable: number;
}

const BATCH = 500;

export async function reencryptFeedTokens(ctx: Context): Promise<Reencryption> {
  const result = { moved: 0, unreadable: 0 };
  let last = '';
  for (;;) {
    const rows = await ctx.store.read
      .selectFrom('feed_tokens')
      .select(['lookup_id', 'secret'])
      .where('lookup_id', '>', last)
      .orderBy('lookup_id')
      .limit(BATCH)
      .execute();
    await transact(
      ctx,
      async ({ tx }) => {
        for (const { lookup_id, secret } of rows) {
          const moved = reseal(ctx, purposeOf(lookup_id), secret);
          if (moved === null) result.unreadable += 1;
          if (moved === null || moved === secret) continue;
          await tx.updateTable('feed_tokens').set({ secret: moved }).where('lookup_id', '=', lookup_id).execute();
          result.moved += 1;
        }
      },
      'bookkeeping',
    );
    if (rows.length < BATCH) return result;
    last = rows.at(-1)?.lookup_id ?? '';
  }
}
