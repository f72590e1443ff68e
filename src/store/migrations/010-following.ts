import type { Migration } from './migration.ts';

// What accounts follow, and the addresses of their private feeds.
export const following: Migration = {
  up({ types: { text } }) {
    return [
      `CREATE TABLE follows (
        user_id ${text} NOT NULL REFERENCES users (id) ON DELETE CASCADE, target_type ${text} NOT NULL,
        target_id ${text} NOT NULL, created_at ${text} NOT NULL, PRIMARY KEY (user_id, target_type, target_id))`,
      'CREATE INDEX follows_by_target ON follows (target_type, target_id)',
      `CREATE TABLE feed_tokens (
        user_id ${text} PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE, lookup_id ${text} NOT NULL UNIQUE,
        secret ${text} NOT NULL, created_at ${text} NOT NULL, last_used_at ${text})`,
    ];
  },
};
