// Releases whose verdict came after their event, by a model, a correction or a proof. Webhooks whose filter they pass only now
// get the event once; the stream does not repeat it.
import { sql } from 'kysely';
import { type Context, now, queries, type WriteContext } from '../context.ts';
import { announcedReleases } from '../releases/write/announce.ts';
import type { EventRow, ReleaseRow } from '../store/schema/releases.ts';
import { renderReleaseCreated } from './events.ts';

const MAX_MS = 30 * 86_400_000;

// Remembers those that were announced in the last 30 days. The update locks a row that is there already, so that whoever is
// looking at it waits for the new verdict.
export async function noteReclassified(ctx: WriteContext, releaseIds: readonly string[]): Promise<void> {
  if (releaseIds.length === 0) return;
  const events = await ctx.tx
    .selectFrom('events')
    .select('release_id')
    .where('release_id', 'in', releaseIds)
    .where('ts', '>=', oldestTs(ctx))
    .execute();
  const noted_at = now(ctx);
  for (const { release_id } of events) {
    await ctx.tx
      .insertInto('reclassifications')
      .values({ release_id, noted_at })
      .onConflict((conflict) => conflict.column('release_id').doUpdateSet({ noted_at }))
      .execute();
  }
}

export function oldestTs({ clock }: Pick<Context, 'clock'>): number {
  return clock().getTime() - MAX_MS;
}

export async function anyReclassified(ctx: Context): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM reclassifications LIMIT 1`.execute(ctx.store.read);
  return rows.length > 0;
}

// The events of releases as they are judged today: same id, number and time, and the reason why they come again.
export async function lateBodies(
  ctx: Context,
  events: readonly Pick<EventRow, 'id' | 'seq' | 'ts' | 'release_id'>[],
): Promise<Map<string, string>> {
  const releases = await releasesById(
    ctx,
    events.map((event) => event.release_id),
  );
  const announced = new Map(
    (await announcedReleases(ctx, [...releases.values()])).map((entry) => [entry.release.id, entry]),
  );
  return new Map(
    events.flatMap(({ id, seq, ts, release_id }): [string, string][] => {
      const entry = announced.get(release_id);
      if (!entry) return [];
      return [[id, renderReleaseCreated({ id, seq, ts, reason: 'reclassified' }, entry, ctx.config.webUrl)]];
    }),
  );
}

export async function releasesById(ctx: Context, ids: readonly string[]): Promise<Map<string, ReleaseRow>> {
  if (ids.length === 0) return new Map();
  const rows = await queries(ctx).selectFrom('releases').selectAll().where('id', 'in', ids).execute();
  return new Map(rows.map((row) => [row.id, row]));
}
