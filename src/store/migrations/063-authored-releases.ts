import type { Migration } from './migration.ts';

// Releases that their author has published here, and what the source was later seen to say otherwise.
export const authoredReleases: Migration = {
  up: ({ types: { text } }) => [
    `CREATE TABLE authored_releases (
      release_id ${text} PRIMARY KEY REFERENCES releases (id) ON DELETE CASCADE, source_id ${text} NOT NULL,
      via ${text} NOT NULL, by_name ${text} NOT NULL, authored_at ${text} NOT NULL,
      differs_at ${text}, differing ${text}, differing_hash ${text})`,
    'CREATE INDEX authored_releases_by_source ON authored_releases (source_id)',
  ],
};
