import type { Migration } from './migration.ts';

// Those who ask take turns within a priority, and pay for what is downloaded for them.
export const readingTurns: Migration = {
  up: ({ types: { text } }) => [
    `ALTER TABLE readings ADD COLUMN payer ${text}`,
    `ALTER TABLE readings ADD COLUMN turn_at ${text} NOT NULL DEFAULT ''`,
    'UPDATE readings SET turn_at = ordered_at',
    'DROP INDEX readings_waiting',
    'CREATE INDEX readings_in_turn ON readings (priority, turn_at) WHERE ended_at IS NULL',
    'CREATE INDEX readings_of_payer ON readings (payer, priority, turn_at) WHERE ended_at IS NULL',
    'CREATE INDEX readings_of_package ON readings (ecosystem, name) WHERE ended_at IS NULL',
  ],
};
