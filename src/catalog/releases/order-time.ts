// Where a release stands in feeds: at its date; an undated one that was announced when it was inserted stands at its
// `fetchedAt`, where its event stood; any other has no order time and comes last.
import type { WriteContext } from '../../context.ts';
import type { ReleaseRow } from '../../store/schema.ts';

export async function orderTimeOf(ctx: WriteContext, stored: ReleaseRow, publishedAt: string | null): Promise<string> {
  if (publishedAt !== null) return publishedAt;
  if (stored.published_at === null) return stored.feed_at;
  return (await ctx.ports.events.exists(ctx, stored.id)) ? stored.fetched_at : '';
}

export async function orderByAnnouncement(ctx: WriteContext, announced: readonly ReleaseRow[]): Promise<void> {
  const undated = announced.filter((row) => row.published_at === null);
  if (undated.length === 0) return;
  await ctx.tx
    .updateTable('releases')
    .set((eb) => ({ feed_at: eb.ref('fetched_at') }))
    .where(
      'id',
      'in',
      undated.map((row) => row.id),
    )
    .execute();
}
