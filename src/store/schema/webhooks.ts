// Row types of webhooks: subscriptions, deliveries and the attempts of each delivery.
import type { ReleaseType } from '../../contract/enums.ts';
import type { DeliveryRow, WebhookSubscription } from '../../contract/webhooks.ts';
import type { MeaningFilter } from '../../domain/meaning/passes-meaning.ts';
import type { WebhookFormat } from '../../domain/webhooks/format.ts';

export interface WebhookTables {
  webhook_subscriptions: WebhookSubscriptionRow;
  webhook_deliveries: WebhookDeliveryRow;
  webhook_attempts: WebhookAttemptRow;
  reclassifications: ReclassificationRow;
}

export interface WebhookSubscriptionRow {
  id: string;
  // Null: made by an operator.
  user_id: string | null;
  scope: WebhookSubscription['scope'];
  org_id: string | null;
  source_id: string | null;
  product_id: string | null;
  // Of the scope `stack`.
  stack_id: string | null;
  release_type: ReleaseType | null;
  exclude_prereleases: number;
  // Filters by meaning: a release passes when it meets any of those that are set.
  min_breaking: NonNullable<MeaningFilter['minBreaking']> | null;
  min_importance: number | null;
  security: number;
  url: string;
  // host:port of the url, the key of the limit per target.
  target: string;
  description: string | null;
  format: WebhookFormat;
  enabled: number;
  disabled_reason: string | null;
  secret_version: number;
  // Encrypted; null for chat formats.
  signing_key: string | null;
  previous_key: string | null;
  previous_key_expires_at: string | null;
  last_success_at: string | null;
  last_error_at: string | null;
  last_error_msg: string | null;
  consecutive_failures: number;
  consecutive_lost_events: number;
  failure_streak_started_at: string | null;
  // Round robin: when work of it was last claimed, and when a claim may next find some (null: nothing waits).
  claimed_at: string | null;
  next_due_at: string | null;
  // The throttle: when its minute began, and what was claimed since.
  window_started_at: string | null;
  window_claims: number | null;
  created_at: string;
  updated_at: string;
}

export interface WebhookDeliveryRow {
  id: string;
  subscription_id: string;
  event_id: string;
  event_seq: number;
  // 0, or the number of the replay.
  replay: number;
  // The number of the attempt that comes next or runs now.
  attempt: number;
  // 0 test, 1 live, 2 replay.
  priority: number;
  state: string;
  due_at: string;
  lease_until: string | null;
  // The body of a test, which is no event, or one that was rendered for this delivery.
  body: string | null;
  // Ended after the last attempt and still in the dead-letter list.
  dead_at: string | null;
  created_at: string;
  done_at: string | null;
}

// A release whose verdict came after its event, until its webhooks were looked at again.
interface ReclassificationRow {
  release_id: string;
  noted_at: string;
}

export interface WebhookAttemptRow {
  id: string;
  delivery_id: string;
  subscription_id: string;
  event_id: string;
  attempt: number;
  outcome: DeliveryRow['outcome'];
  http_status: number;
  error_code: string | null;
  error_message: string;
  latency_ms: number;
  format: WebhookFormat;
  replay: number;
  next_attempt_at: string | null;
  created_at: string;
}
