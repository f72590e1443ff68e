// A private feed as an Atom document: of what an account follows, or of a stack.

import { type Context, transact, type WriteContext } from '../context.ts';
import { atomDocument } from '../domain/atom/feed.ts';
import type { MeaningFilter } from '../domain/meaning/passes-meaning.ts';
import { hashOf } from '../domain/secret-text.ts';
import { feedAuthority } from '../releases/atom/authority.ts';
import { atomEntries } from '../releases/atom/entries.ts';
import { cursorOf, feedRows, readCursor } from '../releases/feeds/feed.ts';
import type { Branch, FeedFilter } from '../releases/feeds/feed-query.ts';
import type { FeedTokenRow } from '../store/schema/accounts.ts';
import type { FeedKind } from './feed-secret.ts';

const ENTRIES = 50;
const SUFFIX = '.atom';

export interface PrivateFeedInput {
  token: string;
  cursor?: string;
  meaning?: MeaningFilter;
}

export interface PrivateFeed {
  document: string;
  // Null for pages after the first, for a selection of the feed, and when the time is not known.
  modified: Date | null;
}

interface OpenedFeed {
  kind: FeedKind;
  // The row of its token.
  opened: Pick<FeedTokenRow, 'lookup_id' | 'content_hash' | 'modified_at'>;
  // Its part of the id, which stays when the address is replaced.
  id: string;
  title: string;
  // The page with the same releases.
  page: string;
  createdAt: string;
  branches: readonly Branch[];
  only: FeedFilter['only'];
}

// The token of an address, with or without its suffix.
export function tokenOf({ token }: PrivateFeedInput): string {
  return token.endsWith(SUFFIX) ? token.slice(0, -SUFFIX.length) : token;
}

export async function privateFeed(ctx: Context, feed: OpenedFeed, input: PrivateFeedInput): Promise<PrivateFeed> {
  const { cursor, meaning = {} } = input;
  const { baseUrl, webUrl, siteName } = ctx.config;
  const rows = await newestRows(ctx, feed, { after: readCursor(cursor), meaning });
  const shown = rows.slice(0, ENTRIES);
  const entries = await atomEntries(ctx, shown);
  const times = entries.map(({ updated }) => updated).sort();
  const addressOf = (cursor?: string) => {
    const query = addressQuery(meaning, cursor);
    return `${baseUrl}${feed.kind.path}/${tokenOf(input)}${SUFFIX}${query === '' ? '' : `?${query}`}`;
  };
  const last = shown.at(-1);
  const selected = addressQuery(meaning);
  const document = atomDocument({
    id: `tag:${await feedAuthority(ctx)},2026:${feed.id}${selected === '' ? '' : `?${selected}`}`,
    title: `${feed.title} – ${siteName}`,
    updated: times.at(-1) ?? feed.createdAt,
    self: addressOf(cursor),
    alternate: `${webUrl}${feed.page}`,
    next: rows.length > ENTRIES && last ? addressOf(cursorOf(last)) : null,
    author: siteName,
    generator: { name: siteName, version: '1' },
    entries,
  });
  // The time is kept for the feed as such, not for each selection of it.
  const isPlain = cursor === undefined && selected === '';
  return { document, modified: isPlain ? await modifiedAt(ctx, feed, document) : null };
}

const MANY_BRANCHES = 50;
const DAY_MS = 86_400_000;
const WINDOWS_DAYS = [14, 180];

// A condition on each release makes the whole history of a quiet source be read, so that a feed of thousands of packages
// first looks at what came lately. What lies in a window is the beginning of the whole list.
async function newestRows(
  ctx: Context,
  { branches, only }: OpenedFeed,
  { after, meaning }: { after: ReturnType<typeof readCursor>; meaning: MeaningFilter },
): ReturnType<typeof feedRows> {
  const page = { limit: ENTRIES + 1, includeContent: true };
  const from = after ? Date.parse(after.feedAt) : ctx.clock().getTime();
  const windows = branches.length > MANY_BRANCHES && Number.isFinite(from) ? WINDOWS_DAYS : [];
  for (const days of windows) {
    const notBefore = new Date(from - days * DAY_MS).toISOString();
    const rows = await feedRows(ctx, { branches, filter: { meaning, only, notBefore }, page, after });
    if (rows.length > ENTRIES) return rows;
  }
  return feedRows(ctx, { branches, filter: { meaning, only }, page, after });
}

// The parameters that lead to this selection, always in the same order.
function addressQuery({ minBreaking, minImportance, security }: MeaningFilter, cursor?: string): string {
  const given = new URLSearchParams();
  if (cursor !== undefined) given.set('cursor', cursor);
  if (minBreaking) given.set('minBreaking', minBreaking);
  if (minImportance) given.set('minImportance', String(minImportance));
  if (security) given.set('security', 'true');
  return given.toString();
}

// The time is in whole seconds and rises with every change, so that conditional requests miss none. Null when it cannot
// be stored.
async function modifiedAt(ctx: Context, { kind, opened }: OpenedFeed, document: string): Promise<Date | null> {
  const hash = hashOf(document);
  if (opened.content_hash === hash && opened.modified_at !== null) return new Date(opened.modified_at);
  try {
    const changed = { table: kind.table, lookupId: opened.lookup_id, hash };
    return await transact(ctx, (ctx) => noteChange(ctx, changed), 'bookkeeping');
  } catch (error) {
    ctx.log.warn({ err: error }, 'the change of a private feed could not be noted');
    return null;
  }
}

interface ChangedFeed {
  table: FeedKind['table'];
  lookupId: string;
  hash: string;
}

async function noteChange(ctx: WriteContext, { table, lookupId, hash }: ChangedFeed): Promise<Date | null> {
  await ctx.store.dialect.lock(ctx.tx, `feed ${lookupId}`);
  const row = await ctx.tx
    .selectFrom(table)
    .select(['content_hash', 'modified_at'])
    .where('lookup_id', '=', lookupId)
    .executeTakeFirst();
  if (!row) return null;
  const before = row.modified_at === null ? null : new Date(row.modified_at);
  if (row.content_hash === hash && before) return before;
  const modified = nextSecond(ctx.clock(), before);
  await ctx.tx
    .updateTable(table)
    .set({ content_hash: hash, modified_at: modified.toISOString() })
    .where('lookup_id', '=', lookupId)
    .execute();
  return modified;
}

function nextSecond(now: Date, before: Date | null): Date {
  const second = Math.floor(now.getTime() / 1000) * 1000;
  return new Date(before === null ? second : Math.max(second, before.getTime() + 1000));
}
