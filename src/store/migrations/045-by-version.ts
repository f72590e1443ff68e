import type { Migration } from './migration.ts';

// Releases whose verdict rests on the number of their version alone are found when releases are derived again.
export const byVersion: Migration = {
  up: ({ types: { int } }) => [`ALTER TABLE releases ADD COLUMN by_version ${int} NOT NULL DEFAULT 0`],
};
