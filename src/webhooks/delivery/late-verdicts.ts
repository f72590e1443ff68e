// Turns late verdicts into deliveries: one for every subscription whose filter a release did not pass when it was announced
// and passes now. The note goes in the same transaction, and the key of a delivery makes a repeated run harmless.
import { sql } from 'kysely';
import { type Context, now, transact, type WriteContext } from '../../context.ts';
import { insertMissing } from '../../store/insert-many.ts';
import type { EventRow } from '../../store/schema/releases.ts';
import { wakeSubscriptions } from '../enqueue.ts';
import { newlyPassing } from '../matching.ts';
import { anyReclassified, lateBodies, oldestTs, releasesById } from '../reclassified.ts';
import { deliveryOf, holdSubscriptions } from './fan-out.ts';
import { publicReleases } from './messages.ts';

const RELEASES = 50;

// Returns how many releases were looked at.
export async function fanOutLateVerdicts(ctx: Context): Promise<number> {
  if (!(await anyReclassified(ctx))) return 0;
  return transact(ctx, lookAtBatch, 'bookkeeping');
}

async function lookAtBatch(ctx: WriteContext): Promise<number> {
  const { rows: noted } = await sql<{ release_id: string }>`
    SELECT release_id FROM reclassifications ORDER BY release_id LIMIT ${RELEASES}
    ${ctx.store.dialect.skipLocked}`.execute(ctx.tx);
  const ids = noted.map(({ release_id }) => release_id);
  if (ids.length === 0) return 0;
  const events = await ctx.tx
    .selectFrom('events')
    .selectAll()
    .where('release_id', 'in', [...(await publicReleases(ctx, ids)), ''])
    .where('ts', '>=', oldestTs(ctx))
    .execute();
  await deliver(ctx, events);
  await ctx.tx.deleteFrom('reclassifications').where('release_id', 'in', ids).execute();
  return ids.length;
}

async function deliver(ctx: WriteContext, events: readonly EventRow[]): Promise<void> {
  const releases = await releasesById(
    ctx,
    events.map((event) => event.release_id),
  );
  const matches = await newlyPassing(ctx, events, releases);
  const bodies = await lateBodies(ctx, events);
  const at = now(ctx);
  const wanted = events.flatMap((event, index) =>
    (matches[index] ?? []).map((id) => ({ ...deliveryOf(ctx, event, id, at), body: bodies.get(event.id) ?? null })),
  );
  const held = await holdSubscriptions(ctx, new Set(wanted.map((row) => row.subscription_id)));
  const delivered = await deliveredBefore(ctx, events, [...held]);
  const fresh = wanted.filter(
    (row) => held.has(row.subscription_id) && !delivered.has(`${row.subscription_id} ${row.event_id}`),
  );
  await insertMissing(ctx.tx, 'webhook_deliveries', fresh);
  await wakeSubscriptions(ctx.tx, [...new Set(fresh.map((row) => row.subscription_id))], at);
}

// Also by a replay.
async function deliveredBefore(
  { tx }: WriteContext,
  events: readonly EventRow[],
  subscriptionIds: readonly string[],
): Promise<Set<string>> {
  if (subscriptionIds.length === 0) return new Set();
  const rows = await tx
    .selectFrom('webhook_deliveries')
    .select(['subscription_id', 'event_id'])
    .where('subscription_id', 'in', subscriptionIds)
    .where(
      'event_id',
      'in',
      events.map(({ id }) => id),
    )
    .execute();
  return new Set(rows.map((row) => `${row.subscription_id} ${row.event_id}`));
}
