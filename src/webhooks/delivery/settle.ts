// Commits the results of attempts: log rows, states of deliveries and counters of subscriptions, in one transaction.
import { sql } from 'kysely';
import { type Context, now, transact, type WriteContext } from '../../context.ts';
import { type AttemptOutcome, outcomeOf, waitMs } from '../../domain/webhooks/retry-schedule.ts';
import { insertMany } from '../../store/insert-many.ts';
import type { WebhookAttemptRow, WebhookDeliveryRow, WebhookSubscriptionRow } from '../../store/schema/webhooks.ts';
import { updateMany } from '../../store/update-many.ts';
import { attemptRow, type FinishedAttempt } from './attempt.ts';
import { isTest, later } from './delivery.ts';
import {
  countAttempt,
  type DisabledSubscription,
  type SubscriptionTally,
  tallyChange,
  tallyOf,
} from './notify-owner.ts';

// The delay of a subscription after an internal error, which does not count as an attempt.
const FAULT_WAIT_MS = 60_000;

export interface SettledAttempts {
  outcomes: AttemptOutcome[];
  // The subscriptions that this call has disabled; no other call reports them.
  disabled: DisabledSubscription[];
}

// Ignores attempts whose lease was lost or whose subscription was deleted.
export async function settleAttempts(ctx: Context, finished: readonly FinishedAttempt[]): Promise<SettledAttempts> {
  if (finished.length === 0) return { outcomes: [], disabled: [] };
  return transact(ctx, (ctx) => settle(ctx, finished), 'bookkeeping');
}

async function settle(ctx: WriteContext, finished: readonly FinishedAttempt[]): Promise<SettledAttempts> {
  const at = now(ctx);
  const tallies = await holdTallies(ctx, new Set(finished.map(({ delivery }) => delivery.subscription.id)));
  const ends = finished.map((attempt) => ({ attempt, end: endOf(ctx, attempt, at) }));
  const ours = await updateMany(
    ctx.tx,
    'webhook_deliveries',
    ends.map(({ attempt: { delivery }, end }) => ({
      where: { id: delivery.id, lease_until: delivery.leaseUntil },
      set: { ...end.set, lease_until: null },
    })),
  );
  const rows: WebhookAttemptRow[] = [];
  const outcomes: AttemptOutcome[] = [];
  for (const { attempt, end } of ends) {
    const tally = tallies.get(attempt.delivery.subscription.id);
    if (tally && attempt.ended === 'fault') tally.heldUntil = end.set.due_at;
    if (!tally || end.outcome === null || attempt.ended !== 'verdict' || !ours.has(attempt.delivery.id)) continue;
    const { delivery, startedAt, verdict, latencyMs } = attempt;
    const { outcome } = end;
    outcomes.push(outcome);
    const nextAttemptAt = outcome === 'retry' ? end.set.due_at : null;
    rows.push(attemptRow(ctx, delivery, { ...verdict, outcome, at: startedAt, latencyMs, nextAttemptAt }));
    if (isTest(delivery)) continue;
    const disabling = countAttempt(tally, { outcome, attempt: delivery.attempt, startedAt, verdict }, ctx.clock());
    if (!disabling) continue;
    const { rule, reason } = disabling;
    rows.push(attemptRow(ctx, delivery, { outcome: 'auto_disabled', at, errorCode: rule, errorMessage: reason }));
  }
  await insertMany(ctx.tx, 'webhook_attempts', rows);
  const changes = [...tallies.values()].map((tally) => tallyChange(tally, at));
  await updateMany(ctx.tx, 'webhook_subscriptions', changes);
  return { outcomes, disabled: [...tallies.values()].flatMap(({ disabled }) => disabled ?? []) };
}

// Locks the subscriptions in the order of their ids, so that two workers do not deadlock.
async function holdTallies(
  { tx, store }: WriteContext,
  ids: ReadonlySet<string>,
): Promise<Map<string, SubscriptionTally>> {
  const { rows } = await sql<WebhookSubscriptionRow>`
    SELECT * FROM webhook_subscriptions WHERE id IN (${sql.join([...ids])}) ORDER BY id
    ${store.dialect.forUpdate}`.execute(tx);
  return new Map(rows.map((row) => [row.id, tallyOf(row)]));
}

type DeliveryEnd = Pick<WebhookDeliveryRow, 'attempt' | 'state' | 'due_at' | 'done_at' | 'dead_at'>;

interface AttemptEnd {
  // Null when the attempt does not count.
  outcome: AttemptOutcome | null;
  set: DeliveryEnd;
}

function endOf(ctx: Context, attempt: FinishedAttempt, at: string): AttemptEnd {
  const { delivery } = attempt;
  const same = { attempt: delivery.attempt, state: 'pending', due_at: delivery.due_at, done_at: null, dead_at: null };
  if (attempt.ended === 'stopped') return { outcome: null, set: same };
  if (attempt.ended === 'fault') return { outcome: null, set: { ...same, due_at: later(at, FAULT_WAIT_MS) } };
  const outcome = outcomeOf(attempt.verdict, { attempt: delivery.attempt, isTest: isTest(delivery) });
  if (outcome !== 'retry') {
    const dead_at = outcome === 'dlq' ? at : null;
    return { outcome, set: { ...same, state: 'done', done_at: at, dead_at } };
  }
  const wait = waitMs({ attempt: delivery.attempt, random: randomShare(ctx), retryAfterMs: attempt.retryAfterMs });
  return { outcome, set: { ...same, attempt: delivery.attempt + 1, due_at: later(at, wait) } };
}

function randomShare({ randomBytes }: Pick<Context, 'randomBytes'>): number {
  const [high = 0, low = 0] = randomBytes(2);
  return (high * 256 + low) / 65_536;
}
