import type { Migration } from './migration.ts';

// What the last commits changed, for the caches of processes that share the database.
export const dataChanges: Migration = {
  up({ changeLogDdl }) {
    return changeLogDdl;
  },
};
