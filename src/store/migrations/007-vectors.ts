import type { Migration } from './migration.ts';

// Vectors of releases, chunks and entities. Readers follow `seq`, so a deletion stays as a row for a while.
export const vectors: Migration = {
  up({ types: { text, int, real, blob }, clustered }) {
    return [
      `CREATE TABLE vectors (
        space ${text} NOT NULL, kind ${text} NOT NULL, key ${int} NOT NULL, ref ${text} NOT NULL, seq ${int} NOT NULL,
        dims ${int} NOT NULL, scale ${real} NOT NULL, data ${blob} NOT NULL, text_hash ${text} NOT NULL,
        tier ${int} NOT NULL, deleted ${int} NOT NULL, changed_at ${text} NOT NULL,
        PRIMARY KEY (space, kind, key))${clustered}`,
      // Ends in `deleted`, so that counting reads no vector.
      'CREATE INDEX vectors_by_seq ON vectors (space, kind, seq, deleted)',
      "CREATE INDEX vectors_of_entities ON vectors (ref) WHERE kind = 'entity'",
      'CREATE INDEX vectors_deleted ON vectors (changed_at) WHERE deleted = 1',
      // What waits for the embedder.
      'CREATE INDEX releases_unembedded ON releases (seq) WHERE embedded_at IS NULL AND listing > 0',
      'CREATE INDEX orgs_unembedded ON orgs (id) WHERE embedded_at IS NULL AND deleted_at IS NULL',
      'CREATE INDEX products_unembedded ON products (id) WHERE embedded_at IS NULL AND deleted_at IS NULL',
      'CREATE INDEX sources_unembedded ON sources (id) WHERE embedded_at IS NULL AND deleted_at IS NULL',
      // Filters of few releases: without these the newest of them are found by reading all.
      'CREATE INDEX releases_important ON releases (listing, feed_at) WHERE importance >= 4',
      "CREATE INDEX releases_breaking ON releases (listing, feed_at) WHERE breaking IN ('major', 'minor')",
    ];
  },
};
