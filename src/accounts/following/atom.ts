// The private feed of an account as an Atom document.
import { feedAuthority } from '../../catalog/atom/authority.ts';
import { atomEntries } from '../../catalog/atom/entries.ts';
import { cursorOf, feedRows, readCursor } from '../../catalog/releases/feed.ts';
import { type Context, queries, transact, type WriteContext } from '../../context.ts';
import { notFound } from '../../contract/errors.ts';
import { atomDocument } from '../../domain/atom/feed.ts';
import type { MeaningFilter } from '../../domain/meaning/passes-meaning.ts';
import type { FeedTokenRow } from '../../store/schema/accounts.ts';
import { digest } from '../machine-token.ts';
import { openFeedToken } from './feed-token.ts';
import { followedReleases } from './list-follows.ts';

const ENTRIES = 50;
const SUFFIX = '.atom';

interface PrivateFeed {
  document: string;
  // Null for pages after the first, for a selection of the feed, and when the time is not known.
  modified: Date | null;
}

interface PrivateFeedInput {
  token: string;
  cursor?: string;
  meaning?: MeaningFilter;
}

export async function privateAtomFeed(ctx: Context, input: PrivateFeedInput): Promise<PrivateFeed> {
  const token = input.token.endsWith(SUFFIX) ? input.token.slice(0, -SUFFIX.length) : input.token;
  const opened = await openFeedToken(ctx, token);
  if (opened === null) throw notFound('feed', '');
  const userId = opened.user_id;
  const user = await queries(ctx).selectFrom('users').select('created_at').where('id', '=', userId).executeTakeFirst();
  const page = { limit: ENTRIES + 1, includeContent: true };
  const { branches, only } = await followedReleases(ctx, userId);
  const rows = await feedRows(ctx, {
    branches,
    filter: { meaning: input.meaning, only },
    page,
    after: readCursor(input.cursor),
  });
  const shown = rows.slice(0, ENTRIES);
  const entries = await atomEntries(ctx, shown);
  const { baseUrl, webUrl, siteName } = ctx.config;
  const addressOf = (cursor?: string) => {
    const query = addressQuery(input.meaning ?? {}, cursor);
    return `${baseUrl}/v1/feed/${token}${SUFFIX}${query === '' ? '' : `?${query}`}`;
  };
  const last = shown.at(-1);
  const selected = addressQuery(input.meaning ?? {});
  const document = atomDocument({
    id: `tag:${await feedAuthority(ctx)},2026:user/${userId}${selected === '' ? '' : `?${selected}`}`,
    title: `Following – ${siteName}`,
    updated:
      entries
        .map((entry) => entry.updated)
        .sort()
        .at(-1) ??
      user?.created_at ??
      new Date(0).toISOString(),
    self: addressOf(input.cursor),
    alternate: `${webUrl}/following`,
    next: rows.length > ENTRIES && last ? addressOf(cursorOf(last)) : null,
    author: siteName,
    generator: { name: siteName, version: '1' },
    entries,
  });
  // The time is kept for the feed as such, not for each selection of it.
  const isPlain = input.cursor === undefined && selected === '';
  return { document, modified: isPlain ? await modifiedAt(ctx, opened, document) : null };
}

// The parameters that lead to this selection, always in the same order.
export function addressQuery({ minBreaking, minImportance, security }: MeaningFilter, cursor?: string): string {
  const given = new URLSearchParams();
  if (cursor !== undefined) given.set('cursor', cursor);
  if (minBreaking) given.set('minBreaking', minBreaking);
  if (minImportance) given.set('minImportance', String(minImportance));
  if (security) given.set('security', 'true');
  return given.toString();
}

type Seen = Pick<FeedTokenRow, 'lookup_id' | 'content_hash' | 'modified_at'>;

// The time is in whole seconds and rises with every change, so that conditional requests miss none. Null when it cannot
// be stored.
async function modifiedAt(ctx: Context, seen: Seen, document: string): Promise<Date | null> {
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
