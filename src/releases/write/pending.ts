// Releases with a future date: stored at once, counted and announced when their time comes.

import { type Context, now, transact, type WriteContext } from '../../context.ts';
import { utcDay } from '../../domain/timestamps.ts';
import { sourceById } from '../../entities/resolve.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import { refreshFigures, refreshOrgCount } from '../figures.ts';
import { announceReleases } from './announce.ts';

const BATCH = 200;

// The worker calls this at least once a minute; the event shows the release as it is then.
export async function surfaceDueReleases(ctx: Context): Promise<number> {
  const waiting = await ctx.store.read
    .selectFrom('pending_releases')
    .select('release_id')
    .where('due_at', '<=', now(ctx))
    .limit(1)
    .executeTakeFirst();
  if (!waiting) return 0;
  return transact(ctx, (ctx) => surface(ctx), 'derived');
}

async function surface(ctx: WriteContext): Promise<number> {
  await ctx.store.dialect.lock(ctx.tx, 'pending_releases');
  const due = await ctx.tx
    .selectFrom('pending_releases')
    .selectAll()
    .where('due_at', '<=', now(ctx))
    .orderBy('due_at')
    .limit(BATCH)
    .execute();
  const announced: ReleaseRow[] = [];
  const days = new Map<string, Set<string>>();
  for (const { release_id, announce } of due) {
    const row = await ctx.tx.selectFrom('releases').selectAll().where('id', '=', release_id).executeTakeFirst();
    if (!row?.published_at || row.published_at > now(ctx)) continue;
    days.set(row.source_id, (days.get(row.source_id) ?? new Set()).add(utcDay(row.published_at)));
    if (announce && row.listing === 2) announced.push(row);
  }
  for (const [sourceId, touched] of days) {
    const sourceInOrg = await sourceById(ctx, sourceId);
    if (!sourceInOrg) continue;
    await refreshFigures(ctx, { id: sourceId, visible: sourceInOrg.visible }, touched);
    await refreshOrgCount(ctx, sourceInOrg.source.org_id);
  }
  const ids = due.map((row) => row.release_id);
  if (ids.length > 0) {
    await ctx.tx
      .deleteFrom('pending_releases')
      .where('release_id', 'in', ids)
      .where('due_at', '<=', now(ctx))
      .execute();
  }
  await announceReleases(ctx, announced);
  return due.length;
}
