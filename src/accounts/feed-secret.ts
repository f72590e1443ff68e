// The secret in the address of a private feed, of an account or of a stack: made, compared, noted when used, encrypted anew. It
// can be read again, so it is encrypted, not hashed.
import { type Context, now, transact } from '../context.ts';
import type { FeedTokenAnswer } from '../contract/account.ts';
import { hashOf, randomBase62, sameHash } from '../domain/secret-text.ts';
import type { FeedTokenRow } from '../store/schema/accounts.ts';
import { reseal, type SealPurpose, seal, unseal } from './sealing.ts';

export interface FeedKind {
  table: 'feed_tokens' | 'stack_feeds';
  // What the encryption is bound to.
  info: string;
  // Where the feeds are, below the base address.
  path: string;
}

type FeedColumns = Omit<FeedTokenRow, 'user_id'>;
export type ShownFeed = NonNullable<FeedTokenAnswer['token']>;

const FORM = /^relf_(?<lookup>[0-9A-Za-z]{12})_(?<secret>[0-9A-Za-z]{32})$/;
const NOBODY = hashOf('no feed has this secret');
const USE_NOTED_EVERY_MS = 60_000;
const BATCH = 500;

// The parts of a token; null for every value of another form.
export function feedTokenParts(token: string): { lookup: string; secret: string } | null {
  const { lookup, secret } = FORM.exec(token)?.groups ?? {};
  return lookup && secret ? { lookup, secret } : null;
}

export function newFeed(ctx: Context, kind: FeedKind): { columns: FeedColumns; secret: string } {
  const lookup = randomBase62(12, ctx.randomBytes);
  const secret = randomBase62(32, ctx.randomBytes);
  const columns = {
    lookup_id: lookup,
    secret: seal(ctx, purposeOf(kind, lookup), Buffer.from(secret)),
    created_at: now(ctx),
    last_used_at: null,
    content_hash: null,
    modified_at: null,
  };
  return { columns, secret };
}

// Null where there is no feed, or one whose secret can no longer be read.
export function readableFeed(ctx: Context, kind: FeedKind, row: FeedColumns | undefined): ShownFeed | null {
  const secret = row ? secretOf(ctx, kind, row) : null;
  return row && secret !== null ? shownFeed(ctx, kind, { columns: row, secret }) : null;
}

export function shownFeed(
  ctx: Context,
  { path }: FeedKind,
  { columns, secret }: { columns: FeedColumns; secret: string },
): ShownFeed {
  return {
    feedUrl: `${ctx.config.baseUrl}${path}/relf_${columns.lookup_id}_${secret}.atom`,
    lookupId: columns.lookup_id,
    createdAt: columns.created_at,
    lastUsedAt: columns.last_used_at,
  };
}

// Whether the secret is that of the row. An unknown token costs the same comparison as a known one.
export function opensFeed(ctx: Context, kind: FeedKind, row: FeedColumns | undefined, secret: string): boolean {
  const stored = row ? secretOf(ctx, kind, row) : null;
  return sameHash(hashOf(secret), stored === null ? NOBODY : hashOf(stored)) && row !== undefined;
}

// A failed write of the last use must not fail the feed.
export async function noteFeedUse(ctx: Context, { table }: FeedKind, row: FeedColumns): Promise<void> {
  const at = ctx.clock();
  if (row.last_used_at !== null && at.getTime() - Date.parse(row.last_used_at) < USE_NOTED_EVERY_MS) return;
  const used = { last_used_at: at.toISOString() };
  await transact(
    ctx,
    ({ tx }) => tx.updateTable(table).set(used).where('lookup_id', '=', row.lookup_id).execute(),
    'bookkeeping',
  ).catch((err) => ctx.log.warn({ err }, 'the use of a private feed could not be noted'));
}

export interface Reencryption {
  moved: number;
  // Values encrypted with a secret that is no longer configured.
  unreadable: number;
}

export async function reencryptFeeds(ctx: Context, kind: FeedKind): Promise<Reencryption> {
  const result = { moved: 0, unreadable: 0 };
  let last = '';
  for (;;) {
    const rows = await ctx.store.read
      .selectFrom(kind.table)
      .select(['lookup_id', 'secret'])
      .where('lookup_id', '>', last)
      .orderBy('lookup_id')
      .limit(BATCH)
      .execute();
    await transact(
      ctx,
      async ({ tx }) => {
        for (const { lookup_id, secret } of rows) {
          const moved = reseal(ctx, purposeOf(kind, lookup_id), secret);
          if (moved === null) result.unreadable += 1;
          if (moved === null || moved === secret) continue;
          await tx.updateTable(kind.table).set({ secret: moved }).where('lookup_id', '=', lookup_id).execute();
          result.moved += 1;
        }
      },
      'bookkeeping',
    );
    if (rows.length < BATCH) return result;
    last = rows.at(-1)?.lookup_id ?? '';
  }
}

function secretOf(ctx: Context, kind: FeedKind, { lookup_id, secret }: FeedColumns): string | null {
  const value = unseal(ctx, purposeOf(kind, lookup_id), secret);
  return value === null ? null : Buffer.from(value).toString();
}

function purposeOf({ info }: FeedKind, lookup: string): SealPurpose {
  return { info, belongsTo: lookup };
}
