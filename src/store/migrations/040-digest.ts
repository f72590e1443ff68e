import type { Migration } from './migration.ts';

// Digest mails: when an account wants one, up to where it was told, and mails that wait to be handed over.
export const digest: Migration = {
  up: ({ types: { text, int } }) => [
    `CREATE TABLE digest_settings (
      user_id ${text} PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE, cadence ${text} NOT NULL,
      weekday ${int} NOT NULL, hour ${int} NOT NULL, zone ${text} NOT NULL, min_breaking ${text},
      min_importance ${int}, security ${int} NOT NULL, event_seq ${int} NOT NULL, told_at ${text} NOT NULL,
      next_at ${text}, bounces ${int} NOT NULL, stopped_reason ${text}, created_at ${text} NOT NULL,
      updated_at ${text} NOT NULL)`,
    'CREATE INDEX digest_settings_due ON digest_settings (next_at) WHERE next_at IS NOT NULL',
    `CREATE TABLE digest_mails (
      id ${text} PRIMARY KEY, user_id ${text} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      subject ${text} NOT NULL, text_part ${text} NOT NULL, html_part ${text} NOT NULL, unsubscribe ${text} NOT NULL,
      due_at ${text} NOT NULL, lease_until ${text}, attempts ${int} NOT NULL, created_at ${text} NOT NULL)`,
    'CREATE INDEX digest_mails_due ON digest_mails (due_at)',
  ],
};
