import type { Migration } from './migration.ts';

// Stacks: the packages that a project runs on, as an account follows them, with the newest answer about each. Beside them
// the addresses of their feeds, webhooks of a stack, and keys that can do nothing but push one.
export const stacks: Migration = {
  up: ({ types: { text, int }, clustered }) => [
    `CREATE TABLE stacks (
      id ${text} PRIMARY KEY, user_id ${text} NOT NULL REFERENCES users (id) ON DELETE CASCADE, name ${text} NOT NULL,
      source ${text}, pushed_by ${text} NOT NULL, created_at ${text} NOT NULL, pushed_at ${text} NOT NULL,
      seen_at ${text} NOT NULL, UNIQUE (user_id, name))`,
    `CREATE TABLE stack_packages (
      stack_id ${text} NOT NULL REFERENCES stacks (id) ON DELETE CASCADE, ecosystem ${text} NOT NULL,
      name ${text} NOT NULL, version ${text} NOT NULL, version_sort ${text}, target ${text}, target_at ${text},
      judgement ${text}, security ${int} NOT NULL, answer ${text}, judged_at ${text}, seen_target ${text}, told_target ${text},
      PRIMARY KEY (stack_id, ecosystem, name, version))${clustered}`,
    'CREATE INDEX stack_packages_by_name ON stack_packages (ecosystem, name)',
    'CREATE INDEX stack_packages_by_age ON stack_packages (judged_at)',
    `CREATE TABLE stack_feeds (
      stack_id ${text} PRIMARY KEY REFERENCES stacks (id) ON DELETE CASCADE, lookup_id ${text} NOT NULL UNIQUE,
      secret ${text} NOT NULL, created_at ${text} NOT NULL, last_used_at ${text}, content_hash ${text},
      modified_at ${text})`,
    `ALTER TABLE webhook_subscriptions ADD COLUMN stack_id ${text} REFERENCES stacks (id) ON DELETE CASCADE`,
    'CREATE INDEX webhook_subscriptions_by_stack ON webhook_subscriptions (stack_id) WHERE stack_id IS NOT NULL',
    `ALTER TABLE api_keys ADD COLUMN scope ${text} NOT NULL DEFAULT 'read'`,
  ],
};
