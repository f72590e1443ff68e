// Claims deliveries. Subscriptions take turns, the one served longest ago first, so that no backlog is sorted and a long one
// delays nobody.
import { type RawBuilder, sql } from 'kysely';
import { type Context, now, transact, type WriteContext } from '../../context.ts';
import { leaseEnd } from '../../store/lease.ts';
import type { WebhookSubscriptionRow } from '../../store/schema/webhooks.ts';
import { updateMany } from '../../store/update-many.ts';
import { writeSkipped } from './attempt-row.ts';
import { type Choice, chooseDeliveries } from './choose.ts';
import { type ClaimedDelivery, LEASE_MS, later } from './delivery.ts';
import { readMessages } from './messages.ts';
import type { SlotPlan, Slots } from './slots.ts';
import { readWaiting } from './waiting.ts';

// Few enough that other workers do not wait long for the locked rows.
const SUBSCRIPTIONS = 32;

export interface ClaimedBatch {
  deliveries: ClaimedDelivery[];
  // More deliveries may be due now.
  more: boolean;
}

// Claims deliveries that may be sent now, with a lease on each, and ends those that cannot be sent any more.
export async function claimDeliveries(ctx: Context, slots: Slots): Promise<ClaimedBatch> {
  return transact(ctx, (ctx) => claimOnce(ctx, slots), 'bookkeeping');
}

// Whether a claim may find something; an idle worker asks this first.
export async function anyDue(ctx: Context, slots: Slots): Promise<boolean> {
  const plan = slots.plan();
  if (plan.free() <= 0) return false;
  const { rows } = await sql`SELECT 1 FROM webhook_subscriptions WHERE ${servable(plan, now(ctx))} LIMIT 1`.execute(
    ctx.store.read,
  );
  return rows.length > 0;
}

async function claimOnce(ctx: WriteContext, slots: Slots): Promise<ClaimedBatch> {
  const at = now(ctx);
  const plan = slots.plan();
  if (plan.free() <= 0) return { deliveries: [], more: false };
  const { rows: subscriptions } = await nextSubscriptions(ctx, plan, at).execute(ctx.tx);
  const served = withRoom(subscriptions, slots.plan());
  if (served.length === 0) return { deliveries: [], more: false };
  const waitingFor = await readWaiting(ctx, served, at);
  const choices: [WebhookSubscriptionRow, Choice][] = [];
  for (const subscription of served) {
    const limits = {
      atOnce: slots.limitOf(subscription),
      free: plan.freeFor(subscription),
      perMinute: ctx.config.webhookRate,
    };
    const choice = chooseDeliveries(subscription, { waiting: waitingFor(subscription.id), limits, at });
    plan.take(subscription, choice.send.length);
    choices.push([subscription, choice]);
  }
  const deliveries = await take(ctx, choices, at);
  return {
    deliveries,
    more: subscriptions.length === SUBSCRIPTIONS || choices.some(([, { skip }]) => skip.length > 0),
  };
}

export function nextSubscriptions(
  { store }: Pick<Context, 'store'>,
  plan: SlotPlan,
  at: string,
): RawBuilder<WebhookSubscriptionRow> {
  return sql<WebhookSubscriptionRow>`
    SELECT * FROM webhook_subscriptions WHERE ${servable(plan, at)}
    ORDER BY claimed_at, id LIMIT ${sql.lit(SUBSCRIPTIONS)} ${store.dialect.skipLocked}`;
}

function servable(plan: SlotPlan, at: string): RawBuilder<unknown> {
  const { targets, failing } = plan.full();
  const open = targets.length > 0 ? sql`AND target NOT IN (${sql.join(targets)})` : sql``;
  const healthy = failing ? sql`AND failure_streak_started_at IS NULL` : sql``;
  return sql`next_due_at IS NOT NULL AND next_due_at <= ${at} ${open} ${healthy}`;
}

// Skips subscriptions whose receiver has no free slot, before anything is read for them. Disabled ones need no slot.
function withRoom(subscriptions: readonly WebhookSubscriptionRow[], plan: SlotPlan): WebhookSubscriptionRow[] {
  return subscriptions.filter((subscription) => {
    if (!subscription.enabled) return true;
    if (plan.freeFor(subscription) <= 0) return false;
    plan.take(subscription, 1);
    return true;
  });
}

async function take(
  ctx: WriteContext,
  choices: readonly [WebhookSubscriptionRow, Choice][],
  at: string,
): Promise<ClaimedDelivery[]> {
  const leaseUntil = leaseEnd(at, LEASE_MS);
  const chosen = choices.flatMap(([subscription, { send }]) =>
    send.map((delivery) => ({ ...delivery, subscription, leaseUntil })),
  );
  const messages = await readMessages(ctx, chosen);
  const claimed = chosen.flatMap((delivery) => {
    const payload = messages.get(delivery.id);
    return payload === undefined ? [] : [{ ...delivery, payload }];
  });
  const withdrawn = chosen.filter(({ id }) => !messages.has(id));
  const disabled = choices.flatMap(([subscription, { skip }]) =>
    skip.map((delivery) => ({ ...delivery, subscription })),
  );
  await writeSkipped(ctx, withdrawn, 'release_withdrawn');
  await writeSkipped(ctx, disabled, 'disabled');
  await lease(ctx, claimed, leaseUntil);
  await storeTurns(ctx, choices, at);
  return claimed;
}

async function lease({ tx }: WriteContext, claimed: readonly ClaimedDelivery[], leaseUntil: string): Promise<void> {
  if (claimed.length === 0) return;
  const ids = claimed.map(({ id }) => id);
  await tx.updateTable('webhook_deliveries').set({ lease_until: leaseUntil }).where('id', 'in', ids).execute();
}

async function storeTurns(
  { tx }: WriteContext,
  choices: readonly [WebhookSubscriptionRow, Choice][],
  at: string,
): Promise<void> {
  const changes = choices.map(([{ id, claimed_at }, { send, skip, nextDueAt, window }]) => ({
    where: { id },
    set: {
      window_claims: window.claims,
      window_started_at: window.startedAt,
      claimed_at: send.length + skip.length > 0 ? behindOthers(claimed_at, at) : claimed_at,
      next_due_at: nextDueAt,
    },
  }));
  await updateMany(tx, 'webhook_subscriptions', changes);
}

// A time that sorts behind all other subscriptions, also behind those that were served in the same millisecond.
function behindOthers(claimedAt: string | null, at: string): string {
  return claimedAt !== null && claimedAt >= at ? later(claimedAt, 1) : at;
}
