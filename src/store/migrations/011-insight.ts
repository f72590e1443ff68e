import type { Migration } from './migration.ts';

// What upgrade answers need besides the tables of the catalog: versions with all that a range is summed up from in one
// index, former names of repositories, and what each source says about the packages it makes.
export const insight: Migration = {
  up({ types: { text, int }, clustered }) {
    return [
      'DROP INDEX releases_by_version',
      `CREATE INDEX releases_by_version
        ON releases (source_id, package_part, version_sort, listing, prerelease, breaking, feed_at)`,
      `CREATE TABLE former_coordinates (
        coordinate ${text} NOT NULL, source_id ${text} NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
        PRIMARY KEY (coordinate, source_id))${clustered}`,
      'CREATE INDEX former_coordinates_by_source ON former_coordinates (source_id)',
      `ALTER TABLE sources ADD COLUMN is_fork ${int} NOT NULL DEFAULT 0`,
      // The newest change and the number of rows show whether cached names are still current.
      'CREATE INDEX sources_by_change ON sources (updated_at)',
      'CREATE INDEX packages_by_change ON packages (updated_at)',
      `CREATE TABLE package_claims (
        source_id ${text} NOT NULL REFERENCES sources (id) ON DELETE CASCADE, place ${text} NOT NULL,
        blob_hash ${text}, ecosystem ${text} NOT NULL, name ${text}, is_own ${int} NOT NULL, package_part ${text},
        PRIMARY KEY (source_id, place))`,
      'CREATE INDEX package_claims_by_name ON package_claims (ecosystem, name) WHERE name IS NOT NULL',
      `CREATE TABLE guide_notes (
        release_id ${text} PRIMARY KEY REFERENCES releases (id) ON DELETE CASCADE, source_id ${text} NOT NULL,
        notes ${text} NOT NULL)`,
      'CREATE INDEX guide_notes_by_source ON guide_notes (source_id)',
    ];
  },
};
