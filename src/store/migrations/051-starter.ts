import type { Migration } from './migration.ts';

// The well-known packages that a new registry reads by itself.
export const starter: Migration = {
  up: ({ types: { text, int } }) => [
    `CREATE TABLE starter_packages (
      ecosystem ${text} NOT NULL, name ${text} NOT NULL, place ${int} NOT NULL, state ${text} NOT NULL,
      PRIMARY KEY (ecosystem, name))`,
  ],
};
