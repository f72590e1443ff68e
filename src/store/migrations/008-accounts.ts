import type { Migration } from './migration.ts';

// People, and everything by which they prove who they are.
export const accounts: Migration = {
  number: 8,
  name: 'accounts',
  up({ types: { text, int } }) {
    return [
      `CREATE TABLE users (
        id ${text} PRIMARY KEY, name ${text} NOT NULL, email ${text} NOT NULL UNIQUE,
        email_verified ${int} NOT NULL, image ${text}, created_at ${text} NOT NULL, updated_at ${text} NOT NULL,
        disabled_at ${text})`,
    ];
  },
};
