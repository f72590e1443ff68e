// Turns events into deliveries: one for every subscription that an event matches.
import { sql } from 'kysely';
import { type Context, now, transact, type WriteContext } from '../../context.ts';
import { newId } from '../../domain/ids.ts';
import { insertMissing } from '../../store/insert-many.ts';
import type { Tx } from '../../store/schema/index.ts';
import type { EventRow } from '../../store/schema/releases.ts';
import type { WebhookDeliveryRow } from '../../store/schema/webhooks.ts';
import { wakeSubscriptions } from '../enqueue.ts';
import { subscriptionsForEach } from '../matching.ts';
import { PRIORITY } from './delivery.ts';

const EVENTS = 200;
// The most deliveries that one transaction writes, so that other writers get their turn.
const DELIVERIES = 2000;

interface FannedOut {
  events: number;
  deliveries: number;
}

// Takes the oldest events without deliveries. The key of a delivery makes a repeated run harmless.
export async function fanOut(ctx: Context): Promise<FannedOut> {
  // An idle pass ends here, without a transaction.
  if (!(await anyWaiting(ctx))) return { events: 0, deliveries: 0 };
  return transact(ctx, fanOutBatch, 'bookkeeping');
}

async function anyWaiting(ctx: Context): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM events WHERE fanned_out_at IS NULL LIMIT 1`.execute(ctx.store.read);
  return rows.length > 0;
}

async function fanOutBatch(ctx: WriteContext): Promise<FannedOut> {
  const at = now(ctx);
  const { rows: waiting } = await sql<EventRow>`
    SELECT * FROM events WHERE fanned_out_at IS NULL ORDER BY seq LIMIT ${EVENTS}
    ${ctx.store.dialect.skipLocked}`.execute(ctx.tx);
  if (waiting.length === 0) return { events: 0, deliveries: 0 };
  const { events, wanted } = await share(ctx, waiting, at);
  // The subscriptions are locked, so that no delivery is written for one that is deleted meanwhile.
  const held = await holdSubscriptions(ctx, new Set(wanted.map((row) => row.subscription_id)));
  const deliveries = wanted.filter((row) => held.has(row.subscription_id));
  await insertMissing(ctx.tx, 'webhook_deliveries', deliveries);
  await wakeSubscriptions(ctx.tx, [...held], at);
  await markFannedOut(ctx.tx, events, at);
  return { events: events.length, deliveries: deliveries.length };
}

// The first of the waiting events, as many as one transaction takes.
async function share(ctx: WriteContext, waiting: readonly EventRow[], at: string) {
  const matches = await subscriptionsForEach(ctx, waiting);
  const events: EventRow[] = [];
  const wanted: WebhookDeliveryRow[] = [];
  for (const [index, event] of waiting.entries()) {
    if (wanted.length >= DELIVERIES) break;
    events.push(event);
    for (const id of matches[index] ?? []) wanted.push(deliveryOf(ctx, event, id, at));
  }
  return { events, wanted };
}

export function deliveryOf(ctx: Context, event: EventRow, subscriptionId: string, at: string): WebhookDeliveryRow {
  return {
    id: newId('dlv', ctx.randomBytes),
    subscription_id: subscriptionId,
    event_id: event.id,
    event_seq: event.seq,
    replay: 0,
    attempt: 1,
    priority: PRIORITY.live,
    state: 'pending',
    due_at: at,
    lease_until: null,
    body: null,
    dead_at: null,
    created_at: at,
    done_at: null,
  };
}

export async function holdSubscriptions({ tx, store }: WriteContext, ids: ReadonlySet<string>): Promise<Set<string>> {
  if (ids.size === 0) return new Set();
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM webhook_subscriptions WHERE id IN (${sql.join([...ids])}) ORDER BY id
    ${store.dialect.forUpdate}`.execute(tx);
  return new Set(rows.map(({ id }) => id));
}

async function markFannedOut(tx: Tx, events: readonly EventRow[], at: string): Promise<void> {
  const seqs = events.map(({ seq }) => seq);
  await tx.updateTable('events').set({ fanned_out_at: at }).where('seq', 'in', seqs).execute();
}
