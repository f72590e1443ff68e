// Mails the owner of a subscription that it was disabled, when mail is configured.
import type { Mailer } from '../../accounts/auth/mail.ts';
import { type Context, queries } from '../../context.ts';
import { type Counters, counted, type Disabling, disablingRule } from '../../domain/webhooks/counters.ts';
import { type AttemptVerdict, GONE } from '../../domain/webhooks/outcome.ts';
import type { AttemptOutcome } from '../../domain/webhooks/retry-schedule.ts';
import { shownHost } from '../../domain/webhooks/target.ts';
import type { WebhookSubscriptionRow } from '../../store/schema/webhooks.ts';
import type { RowChange } from '../../store/update-many.ts';

export async function notifyOwner(
  ctx: Context,
  mailer: Mailer,
  { subscription, reason }: DisabledSubscription,
): Promise<void> {
  if (!mailer.available || subscription.user_id === null) return;
  const user = await queries(ctx)
    .selectFrom('users')
    .select('email')
    .where('id', '=', subscription.user_id)
    .executeTakeFirst();
  if (!user) return;
  await mailer.send({
    to: user.email,
    subject: 'a webhook was disabled',
    lines: [
      // Only the host is named: the path can be a secret.
      `Your webhook to ${shownHost(subscription.url)} was ${reason}.`,
      'Nothing more is sent to it. Once the receiver works again, enable it and ask for what it has missed:',
      `${ctx.config.webUrl}/account/webhooks/${subscription.id}`,
    ],
  });
}

// The counters of one subscription while a batch of its attempts is being settled.

export interface DisabledSubscription {
  subscription: WebhookSubscriptionRow;
  reason: string;
}

export interface SubscriptionTally {
  row: WebhookSubscriptionRow;
  counters: Counters;
  disabled: DisabledSubscription | null;
  // Set after an internal error, which delays all deliveries of the subscription.
  heldUntil: string | null;
}

export function tallyOf(row: WebhookSubscriptionRow): SubscriptionTally {
  return {
    row: { ...row },
    counters: {
      consecutiveFailures: row.consecutive_failures,
      consecutiveLostEvents: row.consecutive_lost_events,
      failureStreakStartedAt: row.failure_streak_started_at,
    },
    disabled: null,
    heldUntil: null,
  };
}

interface CountedAttempt {
  outcome: AttemptOutcome;
  attempt: number;
  startedAt: string;
  verdict: AttemptVerdict;
}

// Returns the rule by which this attempt disables the subscription; that happens once at most.
export function countAttempt(tally: SubscriptionTally, attempt: CountedAttempt, now: Date): Disabling | null {
  const { row } = tally;
  const { outcome, verdict, startedAt } = attempt;
  tally.counters = counted(tally.counters, { outcome, attempt: attempt.attempt, at: startedAt });
  if (outcome === 'success') {
    row.last_success_at = startedAt;
    return null;
  }
  row.last_error_at = startedAt;
  row.last_error_msg = verdict.errorMessage || verdict.errorCode;
  if (!row.enabled) return null;
  const lane = row.user_id === null ? 'admin' : 'user';
  const disabling = disablingRule(tally.counters, { lane, gone: verdict.httpStatus === GONE, now });
  if (!disabling) return null;
  row.enabled = 0;
  row.disabled_reason = disabling.reason;
  row.updated_at = now.toISOString();
  tally.disabled = { subscription: row, reason: disabling.reason };
  return disabling;
}

// Also schedules a look at waiting deliveries: a slot has become free, or a retry was planned.
export function tallyChange(
  { row, counters, heldUntil }: SubscriptionTally,
  at: string,
): RowChange<WebhookSubscriptionRow> {
  const { next_due_at: due } = row;
  return {
    where: { id: row.id },
    set: {
      enabled: row.enabled,
      consecutive_failures: counters.consecutiveFailures,
      consecutive_lost_events: counters.consecutiveLostEvents,
      failure_streak_started_at: counters.failureStreakStartedAt,
      disabled_reason: row.disabled_reason,
      last_success_at: row.last_success_at,
      last_error_at: row.last_error_at,
      last_error_msg: row.last_error_msg,
      updated_at: row.updated_at,
      next_due_at: heldUntil ?? (due !== null && due < at ? due : at),
    },
  };
}
