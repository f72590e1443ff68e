// The private feed of an account as an Atom document.
import { feedAuthority } from '../../catalog/atom/authority.ts';
import { atomEntries } from '../../catalog/atom/entries.ts';
import { cursorOf, feedRows, readCursor } from '../../catalog/releases/feed.ts';
import { type Context, queries } from '../../context.ts';
import { notFound } from '../../contract/errors.ts';
import { atomDocument } from '../../domain/atom/feed.ts';
import { modifiedAt } from './feed-modified.ts';
import { openFeedToken } from './feed-token.ts';
import { followedBranches } from './personal-feed.ts';

const ENTRIES = 50;
const SUFFIX = '.atom';

interface AtomFeed {
  document: string;
  // Null for older pages, and when it is not known.
  modified: Date | null;
}

export async function privateAtomFeed(ctx: Context, input: { token: string; cursor?: string }): Promise<AtomFeed> {
  const token = input.token.endsWith(SUFFIX) ? input.token.slice(0, -SUFFIX.length) : input.token;
  const opened = await openFeedToken(ctx, token);
  if (opened === null) throw notFound('feed', '');
  const userId = opened.user_id;
  const user = await queries(ctx).selectFrom('users').select('created_at').where('id', '=', userId).executeTakeFirst();
  const page = { limit: ENTRIES + 1, includeContent: true };
  const branches = await followedBranches(ctx, userId);
  const rows = await feedRows(ctx, { branches, filter: {}, page, after: readCursor(input.cursor) });
  const shown = rows.slice(0, ENTRIES);
  const entries = await atomEntries(ctx, shown);
  const { baseUrl, webUrl, siteName } = ctx.config;
  const self = `${baseUrl}/v1/feed/${token}${SUFFIX}`;
  const last = shown.at(-1);
  const document = atomDocument({
    id: `tag:${await feedAuthority(ctx)},2026:user/${userId}`,
    title: `Following – ${siteName}`,
    updated:
      entries
        .map((entry) => entry.updated)
        .sort()
        .at(-1) ??
      user?.created_at ??
      new Date(0).toISOString(),
    self: input.cursor === undefined ? self : `${self}?cursor=${encodeURIComponent(input.cursor)}`,
    alternate: `${webUrl}/following`,
    next: rows.length > ENTRIES && last ? `${self}?cursor=${encodeURIComponent(cursorOf(last))}` : null,
    author: siteName,
    generator: { name: siteName, version: '1' },
    entries,
  });
  return { document, modified: input.cursor === undefined ? await modifiedAt(ctx, opened, document) : null };
}
