import type { Migration } from './migration.ts';

// By which rules the releases of a source were derived, how far that has come, and how the source usually writes.
export const derivations: Migration = {
  up({ types: { text, int } }) {
    return [
      `CREATE TABLE derivations (
        source_id ${text} PRIMARY KEY REFERENCES sources (id) ON DELETE CASCADE, rules_version ${int} NOT NULL,
        derived_to ${int} NOT NULL, finished ${int} NOT NULL, habits ${text} NOT NULL, counted ${int} NOT NULL,
        updated_at ${text} NOT NULL)`,
    ];
  },
};
