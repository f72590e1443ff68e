import type { Migration } from './migration.ts';

// Without validators the next reading of a listing is answered in full, with its tags.
export const distTags: Migration = {
  up: ({ types: { text } }) => [
    `ALTER TABLE package_states ADD COLUMN dist_tags ${text}`,
    "UPDATE package_states SET validators = 'null' WHERE ecosystem = 'npm'",
  ],
};
