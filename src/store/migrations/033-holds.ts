import type { Migration } from './migration.ts';

// Sources that an operator has to look at before they are read again, and why a host has to wait.
export const holds: Migration = {
  up: ({ types: { text, int } }) => [
    `CREATE TABLE source_holds (
      source_id ${text} PRIMARY KEY REFERENCES sources (id) ON DELETE CASCADE,
      held_at ${text} NOT NULL, reason ${text} NOT NULL, found ${int} NOT NULL, allowed ${int} NOT NULL,
      fetch_priority ${text} NOT NULL, accepted_at ${text}
    )`,
    `ALTER TABLE hosts ADD COLUMN wait_reason ${text}`,
  ],
};
