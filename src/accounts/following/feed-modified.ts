// When a private feed last changed. What it shows depends on follows, sources and releases, which come and go, so no
// time of a row tells it: the digest of the document that was sent last does.
import { type Context, transact, type WriteContext } from '../../context.ts';
import type { FeedTokenRow } from '../../store/schema-accounts.ts';
import { digest } from '../machine-token.ts';

type Seen = Pick<FeedTokenRow, 'lookup_id' | 'content_hash' | 'modified_at'>;

// In whole seconds, and later with every change, so that nobody who asks by time misses one. Null when it cannot be noted.
export async function modifiedAt(ctx: Context, seen: Seen, document: string): Promise<Date | null> {
  const hash = digest(document);
  if (seen.content_hash === hash && seen.modified_at !== null) return new Date(seen.modified_at);
  try {
    return await transact(ctx, (ctx) => noteChange(ctx, seen.lookup_id, hash), 'bookkeeping');
  } catch (error) {
    ctx.log.warn({ err: error }, 'the change of a private feed could not be noted');
    return null;
  }
}

async function noteChange(ctx: WriteContext, lookupId: string, hash: string): Promise<Date | null> {
  await ctx.store.dialect.lock(ctx.tx, `feed ${lookupId}`);
  const row = await ctx.tx
    .selectFrom('feed_tokens')
    .select(['content_hash', 'modified_at'])
    .where('lookup_id', '=', lookupId)
    .executeTakeFirst();
  if (!row) return null;
  const before = row.modified_at === null ? null : new Date(row.modified_at);
  if (row.content_hash === hash && before) return before;
  const modified = nextSecond(ctx.clock(), before);
  await ctx.tx
    .updateTable('feed_tokens')
    .set({ content_hash: hash, modified_at: modified.toISOString() })
    .where('lookup_id', '=', lookupId)
    .execute();
  return modified;
}

function nextSecond(now: Date, before: Date | null): Date {
  const second = Math.floor(now.getTime() / 1000) * 1000;
  return new Date(before === null ? second : Math.max(second, before.getTime() + 1000));
}
