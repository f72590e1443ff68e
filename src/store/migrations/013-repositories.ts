import type { Migration } from './migration.ts';

export const repositories: Migration = {
  up({ types: { int } }) {
    return [
      // What its code host says of a repository: one that is archived is asked rarely, however often it published.
      `ALTER TABLE sources ADD COLUMN archived ${int} NOT NULL DEFAULT 0`,
    ];
  },
};
