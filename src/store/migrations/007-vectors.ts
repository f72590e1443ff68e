import type { Migration } from './migration.ts';

// Vectors of releases, chunks and entities. Readers follow `seq`, so a deletion stays as a row for a while.
export const vectors: Migration = {
  number: 7,
  name: 'vectors',
  up({ types: { text, int, real, blob } }) {
    return [
      `CREATE TABLE vectors (
        space ${text} NOT NULL, kind ${text} NOT NULL, key ${int} NOT NULL, ref ${text} NOT NULL, seq ${int} NOT NULL,
        dims ${int} NOT NULL, scale ${real} NOT NULL, data ${blob} NOT NULL, text_hash ${text} NOT NULL,
        deleted ${int} NOT NULL, changed_at ${text} NOT NULL, PRIMARY KEY (space, kind, key))`,
      'CREATE INDEX vectors_by_seq ON vectors (space, kind, seq)',
    ];
  },
};
