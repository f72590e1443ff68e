import type { Migration } from './migration.ts';

// What a comparison found beyond the findings that every answer reads, in their order; null when there is no more.
export const allFindings: Migration = {
  up: ({ types: { text } }) => [`ALTER TABLE evidence_pairs ADD COLUMN further ${text}`],
};
