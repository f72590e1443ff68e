import type { Migration } from './migration.ts';

// Scopes that a private registry has or had. Their names go to no other registry until an operator says so.
export const privateScopes: Migration = {
  up: ({ types: { text } }) => [
    `CREATE TABLE private_scopes (scope ${text} PRIMARY KEY, created_at ${text} NOT NULL)`,
    'INSERT INTO private_scopes (scope, created_at) SELECT scope, created_at FROM package_registries',
    `INSERT INTO private_scopes (scope, created_at)
      SELECT registry, MIN(COALESCE(checked_at, '1970-01-01T00:00:00.000Z')) FROM package_states
      WHERE registry IS NOT NULL AND registry NOT IN (SELECT scope FROM package_registries) GROUP BY registry`,
  ],
};
