import type { Migration } from './migration.ts';

// Webhook subscriptions, the deliveries of events to them, and the attempts of each delivery.
export const webhooks: Migration = {
  up({ types: { text, int } }) {
    return [
      `CREATE TABLE webhook_subscriptions (
        id ${text} PRIMARY KEY, user_id ${text} REFERENCES users (id) ON DELETE CASCADE, scope ${text} NOT NULL,
        org_id ${text} REFERENCES orgs (id) ON DELETE CASCADE,
        source_id ${text}, product_id ${text}, release_type ${text}, exclude_prereleases ${int} NOT NULL,
        url ${text} NOT NULL, target ${text} NOT NULL, description ${text}, format ${text} NOT NULL,
        enabled ${int} NOT NULL, disabled_reason ${text}, secret_version ${int} NOT NULL, signing_key ${text},
        previous_key ${text}, previous_key_expires_at ${text}, last_success_at ${text}, last_error_at ${text},
        last_error_msg ${text}, consecutive_failures ${int} NOT NULL DEFAULT 0,
        consecutive_lost_events ${int} NOT NULL DEFAULT 0, failure_streak_started_at ${text},
        claimed_at ${text}, next_due_at ${text}, window_started_at ${text}, window_claims ${int},
        created_at ${text} NOT NULL, updated_at ${text} NOT NULL)`,
      'CREATE INDEX webhook_subscriptions_by_org ON webhook_subscriptions (org_id)',
      `CREATE INDEX webhook_subscriptions_by_source ON webhook_subscriptions (source_id)
        WHERE source_id IS NOT NULL`,
      `CREATE INDEX webhook_subscriptions_by_product ON webhook_subscriptions (product_id)
        WHERE product_id IS NOT NULL`,
      'CREATE INDEX webhook_subscriptions_by_user ON webhook_subscriptions (user_id, created_at)',
      `CREATE INDEX webhook_subscriptions_waiting ON webhook_subscriptions (claimed_at, id, next_due_at)
        WHERE next_due_at IS NOT NULL`,
      `CREATE TABLE webhook_deliveries (
        id ${text} PRIMARY KEY,
        subscription_id ${text} NOT NULL REFERENCES webhook_subscriptions (id) ON DELETE CASCADE,
        event_id ${text} NOT NULL, event_seq ${int} NOT NULL, replay ${int} NOT NULL, attempt ${int} NOT NULL,
        priority ${int} NOT NULL, state ${text} NOT NULL, due_at ${text} NOT NULL, lease_until ${text}, body ${text},
        dead_at ${text}, created_at ${text} NOT NULL, done_at ${text}, UNIQUE (subscription_id, event_id, replay))`,
      `CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries (subscription_id, priority, due_at, event_seq)
        WHERE state = 'pending' AND lease_until IS NULL`,
      `CREATE INDEX webhook_deliveries_leased ON webhook_deliveries (subscription_id, lease_until)
        WHERE lease_until IS NOT NULL`,
      'CREATE INDEX webhook_deliveries_dead ON webhook_deliveries (dead_at, id) WHERE dead_at IS NOT NULL',
      'CREATE INDEX webhook_deliveries_by_time ON webhook_deliveries (created_at)',
      `CREATE TABLE webhook_attempts (
        id ${text} PRIMARY KEY, delivery_id ${text} NOT NULL,
        subscription_id ${text} NOT NULL REFERENCES webhook_subscriptions (id) ON DELETE CASCADE,
        event_id ${text} NOT NULL, attempt ${int} NOT NULL, outcome ${text} NOT NULL, http_status ${int} NOT NULL,
        error_code ${text}, error_message ${text} NOT NULL, latency_ms ${int} NOT NULL, format ${text} NOT NULL,
        replay ${int} NOT NULL, next_attempt_at ${text}, created_at ${text} NOT NULL)`,
      'CREATE INDEX webhook_attempts_by_subscription ON webhook_attempts (subscription_id, created_at, id)',
      'CREATE INDEX webhook_attempts_by_event ON webhook_attempts (subscription_id, event_id, created_at, id)',
      'CREATE INDEX webhook_attempts_by_delivery ON webhook_attempts (delivery_id)',
      'CREATE INDEX webhook_attempts_by_time ON webhook_attempts (created_at)',
      'CREATE INDEX events_by_org ON events (org_id, ts, seq)',
      'CREATE INDEX events_by_time ON events (ts, seq)',
    ];
  },
};
