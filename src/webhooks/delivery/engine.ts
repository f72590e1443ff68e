// Sends what is due, many at a time, until nothing is due and nothing runs. Ended attempts are written and
// new ones are claimed in one transaction, which under load serves many attempts.
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type RawBuilder, sql } from 'kysely';
import { type Context, now, transact, type WriteContext } from '../../context.ts';
import { loopTimers } from '../../net/loop-timers.ts';
import { sleep, systemTimers, type Timers } from '../../net/timers.ts';
import { leaseEnd } from '../../store/lease.ts';
import type { WebhookSubscriptionRow } from '../../store/schema/webhooks.ts';
import { updateMany } from '../../store/update-many.ts';
import { attemptDelivery, type FinishedAttempt, writeSkipped } from './attempt.ts';
import { type Choice, chooseDeliveries, readWaiting } from './choose.ts';
import { type ClaimedDelivery, LEASE_MS, later } from './delivery.ts';
import { readMessages } from './messages.ts';
import { type SettledAttempts, settleAttempts } from './settle.ts';
import { createSlots, type SlotPlan, type Slots } from './slots.ts';

export interface EngineOptions {
  timers?: Timers;
  slots?: Slots;
  // Called after each commit.
  onSettled?: (ctx: Context, settled: SettledAttempts) => void;
}

export interface DeliveryEngine {
  // When the signal is raised, nothing more is claimed, and attempts in flight have some time left.
  run(ctx: Context, signal: AbortSignal): Promise<void>;
}

// While attempts run, others fall due, so the queue is checked again.
const LOOK_AGAIN_MS = 250;
// A process has ten seconds to stop; the time behind this is for handing back and writing.
const GRACE_MS = 8_500;

const NOTHING: ClaimedBatch = { deliveries: [], more: false };

export function createDeliveryEngine(options: EngineOptions = {}): DeliveryEngine {
  const { timers = systemTimers, slots = createSlots(), onSettled } = options;
  // These timers measure the time of the receiver without the time in which this process was too busy to read its answer.
  const attemptTimers = options.timers ?? loopTimers;
  // Both sets outlive a failed pass: running attempts continue, and the next pass writes the ended ones.
  const running = new Set<Promise<void>>();
  const finished: FinishedAttempt[] = [];
  const cutOff = new AbortController();
  let wake = () => {};

  function start(ctx: Context, delivery: ClaimedDelivery): void {
    slots.take(delivery.subscription);
    const attempt = attemptDelivery(ctx, delivery, { signal: cutOff.signal, timers: attemptTimers }).then((end) => {
      slots.release(delivery.subscription, end.ended === 'verdict' && end.verdict.verdict === 'delivered');
      finished.push(end);
      running.delete(attempt);
      wake();
    });
    running.add(attempt);
  }

  async function turn(ctx: Context, signal: AbortSignal): Promise<ClaimedBatch> {
    const ended = finished.slice();
    const { settled, claim } = await transact(
      ctx,
      async (ctx) => ({
        settled: await settleAttempts(ctx, ended),
        claim: signal.aborted ? NOTHING : await claimDeliveries(ctx, slots),
      }),
      'bookkeeping',
    );
    finished.splice(0, ended.length);
    onSettled?.(ctx, settled);
    return claim;
  }

  async function nextWakeUp(signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const ended = new Promise<void>((resolve) => {
      wake = resolve;
      if (finished.length > 0 || signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { signal: over.signal });
    });
    await Promise.race([ended, sleep(timers, LOOK_AGAIN_MS, over.signal)]);
    over.abort();
    // Answers that arrive together share a transaction.
    await nextTurn();
  }

  async function finish(ctx: Context, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    await Promise.race([Promise.all(running), sleep(timers, GRACE_MS, over.signal)]);
    over.abort();
    cutOff.abort();
    await Promise.all(running);
    if (finished.length > 0) await turn(ctx, signal);
  }

  return {
    async run(ctx, signal) {
      while (!signal.aborted) {
        const claim = finished.length > 0 || (await anyDue(ctx, slots)) ? await turn(ctx, signal) : NOTHING;
        for (const delivery of claim.deliveries) start(ctx, delivery);
        if (claim.more) {
          await nextTurn();
          continue;
        }
        if (running.size === 0 && finished.length === 0) return;
        await nextWakeUp(signal);
      }
      await finish(ctx, signal);
    },
  };
}

// Claims deliveries. Subscriptions take turns, the one served longest ago first, so that no backlog is sorted and a long one
// delays nobody.

// Few enough that other workers do not wait long for the locked rows.
const SUBSCRIPTIONS = 32;

interface ClaimedBatch {
  deliveries: ClaimedDelivery[];
  // More deliveries may be due now.
  more: boolean;
}

// Claims deliveries that may be sent now, with a lease on each, and ends those that cannot be sent any more.
async function claimDeliveries(ctx: Context, slots: Slots): Promise<ClaimedBatch> {
  return transact(ctx, (ctx) => claimOnce(ctx, slots), 'bookkeeping');
}

// Whether a claim may find something; an idle worker asks this first.
async function anyDue(ctx: Context, slots: Slots): Promise<boolean> {
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
