import type { Migration } from './migration.ts';

// What questions have ordered about single packages. A question has one open reading, whoever asks.
export const readings: Migration = {
  up: ({ types: { text, int } }) => [
    `CREATE TABLE readings (
      id ${text} PRIMARY KEY, ecosystem ${text} NOT NULL, name ${text} NOT NULL, spelling ${text} NOT NULL,
      question ${text} NOT NULL, from_version ${text}, to_version ${text}, priority ${int} NOT NULL,
      anonymous ${int} NOT NULL, state ${text} NOT NULL, parts ${text} NOT NULL, reason ${text},
      ordered_at ${text} NOT NULL, started_at ${text}, ended_at ${text})`,
    'CREATE UNIQUE INDEX readings_open ON readings (question) WHERE ended_at IS NULL',
    'CREATE INDEX readings_by_question ON readings (question, ordered_at)',
    'CREATE INDEX readings_waiting ON readings (priority, ordered_at) WHERE ended_at IS NULL',
    'CREATE INDEX readings_by_end ON readings (ended_at) WHERE ended_at IS NOT NULL',
  ],
};
