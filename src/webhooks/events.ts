// One release.created event per release, for ever, written in the transaction that shows the release.
import type { WriteContext } from '../context.ts';
import { newId } from '../domain/ids.ts';
import type { AnnouncedRelease } from '../ports.ts';
import { addToCounter } from '../store/counters.ts';
import { insertMany } from '../store/insert-many.ts';
import { renderReleaseCreated } from './payload.ts';

export async function recordEvents(ctx: WriteContext, announced: readonly AnnouncedRelease[]): Promise<number> {
  const fresh = await withoutEvent(ctx, announced);
  if (fresh.length === 0) return 0;
  const ts = ctx.clock().getTime();
  // The counter row stays locked until the commit, so numbers have no gaps and rise in commit order.
  const last = await addToCounter(ctx.tx, 'event_seq', fresh.length);
  const rows = fresh.map((entry, index) => {
    const head = { id: newId('evt', ctx.randomBytes), seq: last - fresh.length + 1 + index, ts };
    const { release } = entry;
    return {
      ...head,
      type: 'release.created',
      release_id: release.id,
      org_id: release.org_id,
      product_id: release.product_id,
      source_id: release.source_id,
      payload: renderReleaseCreated(head, entry, ctx.config.webUrl),
      fanned_out_at: null,
    };
  });
  await insertMany(ctx.tx, 'events', rows);
  return rows.length;
}

export async function eventExists(ctx: WriteContext, releaseId: string): Promise<boolean> {
  const row = await ctx.tx.selectFrom('events').select('id').where('release_id', '=', releaseId).executeTakeFirst();
  return row !== undefined;
}

async function withoutEvent(ctx: WriteContext, announced: readonly AnnouncedRelease[]): Promise<AnnouncedRelease[]> {
  const ids = announced.map(({ release }) => release.id);
  if (ids.length === 0) return [];
  const known = await ctx.tx.selectFrom('events').select('release_id').where('release_id', 'in', ids).execute();
  const seen = new Set(known.map((row) => row.release_id));
  return announced.filter(({ release }) => !seen.has(release.id));
}
