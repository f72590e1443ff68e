// A release that has been withdrawn since is sent no more.
import { type Context, now, queries } from '../context.ts';

const LISTED = 2;

export async function publicReleases(ctx: Context, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const at = now(ctx);
  // Found by id alone: the index of the feed would answer the rest, and be walked from end to end for it.
  const rows = await queries(ctx)
    .selectFrom('releases')
    .select(['id', 'listing', 'feed_at'])
    .where('id', 'in', ids)
    .execute();
  return new Set(rows.filter(({ listing, feed_at }) => listing === LISTED && feed_at <= at).map(({ id }) => id));
}
