import type { Migration } from './migration.ts';

export const history: Migration = {
  up({ types: { text } }) {
    return [
      // How far what is stored of a source can be trusted: when an operator last wrote releases to it, and when a listing
      // of all its releases was last read to the end.
      `ALTER TABLE sources ADD COLUMN releases_written_at ${text}`,
      `ALTER TABLE sources ADD COLUMN listing_completed_at ${text}`,
      `UPDATE sources SET releases_written_at =
        (SELECT MAX(r.fetched_at) FROM releases r WHERE r.source_id = sources.id AND r.origin = 'api')`,
    ];
  },
};
