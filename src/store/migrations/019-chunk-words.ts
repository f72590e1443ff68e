import type { Migration } from './migration.ts';

// Chunks without a word below their headings are no hits. Chunks of stored files are marked when the file is cut again.
export const chunkWords: Migration = {
  up({ types: { int } }) {
    return [`ALTER TABLE changelog_chunks ADD COLUMN blank ${int} NOT NULL DEFAULT 0`];
  },
};
