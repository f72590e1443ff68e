import type { Migration } from './migration.ts';

// What package registries list: every published version of a package, what is remembered between two readings, private
// registries by scope, and the accounts that may see what such a registry holds.
export const publishedVersions: Migration = {
  up: ({ types: { text, int }, clustered }) => [
    `CREATE TABLE package_states (
      id ${text} PRIMARY KEY, ecosystem ${text} NOT NULL, name ${text} NOT NULL, spelling ${text} NOT NULL,
      registry ${text}, latest ${text}, repository ${text}, homepage ${text}, listed_at ${text}, checked_at ${text},
      validators ${text} NOT NULL, outcome ${text} NOT NULL, reason ${text}, failing_since ${text},
      next_read_at ${text}, wanted_at ${text}, UNIQUE (ecosystem, name))`,
    'CREATE INDEX package_states_due ON package_states (next_read_at) WHERE next_read_at IS NOT NULL',
    'CREATE INDEX package_states_failing ON package_states (failing_since) WHERE failing_since IS NOT NULL',
    'CREATE INDEX package_states_private ON package_states (registry) WHERE registry IS NOT NULL',
    `CREATE TABLE package_versions (
      ecosystem ${text} NOT NULL, name ${text} NOT NULL, version ${text} NOT NULL, version_sort ${text},
      published_at ${text}, withdrawn ${int} NOT NULL, withdrawn_reason ${text}, deprecated ${text},
      tarball_url ${text}, integrity ${text}, release_id ${text} REFERENCES releases (id) ON DELETE SET NULL,
      PRIMARY KEY (ecosystem, name, version))${clustered}`,
    'CREATE INDEX package_versions_in_order ON package_versions (ecosystem, name, version_sort)',
    'CREATE INDEX package_versions_by_release ON package_versions (release_id) WHERE release_id IS NOT NULL',
    `CREATE TABLE package_registries (
      scope ${text} PRIMARY KEY, url ${text} NOT NULL, token ${text}, token_hint ${text},
      created_at ${text} NOT NULL, updated_at ${text} NOT NULL)`,
    `CREATE TABLE package_admissions (
      scope ${text} NOT NULL, user_id ${text} NOT NULL REFERENCES users (id) ON DELETE CASCADE,
      created_at ${text} NOT NULL, PRIMARY KEY (scope, user_id))`,
    'CREATE INDEX package_admissions_by_user ON package_admissions (user_id)',
  ],
};
