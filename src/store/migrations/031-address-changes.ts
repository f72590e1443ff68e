import type { Migration } from './migration.ts';

// Former addresses of accounts, each with the hash of the link that brings it back.
export const addressChanges: Migration = {
  up: ({ types: { text } }) => [
    `CREATE TABLE address_changes (
      token_hash ${text} PRIMARY KEY, user_id ${text} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      former_email ${text} NOT NULL, created_at ${text} NOT NULL, expires_at ${text} NOT NULL)`,
    'CREATE INDEX address_changes_by_user ON address_changes (user_id)',
    'CREATE INDEX address_changes_by_expiry ON address_changes (expires_at)',
  ],
};
