import type { Migration } from './migration.ts';

// The feed indexes end in `prerelease`, so that skipping pre-releases reads the index alone.
export const releases: Migration = {
  up({ types: { text, int }, clustered, fullTextDdl }) {
    return [
      `CREATE TABLE releases (
        seq ${int} PRIMARY KEY, id ${text} NOT NULL UNIQUE,
        source_id ${text} NOT NULL REFERENCES sources (id) ON DELETE CASCADE, org_id ${text}, product_id ${text},
        identity_key ${text} NOT NULL, guid ${text}, url ${text}, version ${text}, version_sort ${text}, package_part ${text},
        type ${text} NOT NULL, origin ${text} NOT NULL, title ${text} NOT NULL,
        summary ${text} NOT NULL, title_generated ${text}, title_short ${text}, breaking ${text} NOT NULL,
        importance ${int}, composition ${text}, derived_by ${text} NOT NULL,
        content_hash ${text} NOT NULL, source_hash ${text} NOT NULL, pending_hash ${text}, pending_since ${text},
        content_chars ${int} NOT NULL, content_tokens ${int} NOT NULL,
        published_at ${text}, feed_at ${text} NOT NULL, prerelease ${int} NOT NULL,
        suppressed ${int} NOT NULL DEFAULT 0, suppressed_reason ${text},
        coverage_of ${text}, coverage_count ${int} NOT NULL DEFAULT 0,
        effective_category ${text}, listing ${int} NOT NULL, pinned ${text} NOT NULL DEFAULT '[]',
        revision_count ${int} NOT NULL DEFAULT 0, doc_key ${int} NOT NULL UNIQUE, indexed ${int} NOT NULL DEFAULT 0,
        embedded_at ${text}, fetched_at ${text} NOT NULL, updated_at ${text} NOT NULL,
        media ${text} NOT NULL DEFAULT '[]', migration_notes ${text}, content ${text} NOT NULL,
        UNIQUE (source_id, identity_key))`,
      'CREATE INDEX releases_by_guid ON releases (source_id, guid) WHERE guid IS NOT NULL',
      "CREATE INDEX releases_provisional ON releases (source_id) WHERE origin IN ('tag', 'changelog')",
      'CREATE INDEX releases_by_version ON releases (source_id, package_part, version_sort)',
      'CREATE INDEX releases_feed ON releases (listing, feed_at, fetched_at, id, prerelease)',
      'CREATE INDEX releases_source_feed ON releases (source_id, listing, feed_at, fetched_at, id, prerelease)',
      'CREATE INDEX releases_org_feed ON releases (org_id, listing, feed_at, fetched_at, id, prerelease) WHERE org_id IS NOT NULL',
      'CREATE INDEX releases_product_feed ON releases (product_id, listing, feed_at, fetched_at, id, prerelease) WHERE product_id IS NOT NULL',
      'CREATE INDEX releases_category_feed ON releases (effective_category, listing, feed_at, fetched_at, id, prerelease) WHERE effective_category IS NOT NULL',
      'CREATE INDEX releases_by_canonical ON releases (coverage_of) WHERE coverage_of IS NOT NULL',
      ...fullTextDdl('releases'),
      `CREATE TABLE deleted_releases (
        source_id ${text} NOT NULL REFERENCES sources (id) ON DELETE CASCADE, identity_key ${text} NOT NULL,
        deleted_at ${text} NOT NULL, PRIMARY KEY (source_id, identity_key))`,
      `CREATE TABLE pending_releases (
        release_id ${text} PRIMARY KEY REFERENCES releases (id) ON DELETE CASCADE,
        source_id ${text} NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
        due_at ${text} NOT NULL, announce ${int} NOT NULL)`,
      'CREATE INDEX pending_releases_due ON pending_releases (due_at)',
      `CREATE TABLE release_revisions (
        id ${text} PRIMARY KEY, release_id ${text} NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
        replaced_at ${text} NOT NULL, cause ${text} NOT NULL, changed ${text} NOT NULL, title ${text} NOT NULL,
        content ${text} NOT NULL, version ${text}, published_at ${text}, prerelease ${int} NOT NULL,
        content_hash ${text} NOT NULL, previous_updated_at ${text} NOT NULL)`,
      'CREATE INDEX release_revisions_by_release ON release_revisions (release_id, replaced_at, id)',
      `CREATE TABLE release_coverage (
        coverage_id ${text} PRIMARY KEY REFERENCES releases (id) ON DELETE CASCADE,
        canonical_id ${text} NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
        reason ${text}, decided_by ${text} NOT NULL, decided_at ${text} NOT NULL)`,
      'CREATE INDEX release_coverage_by_canonical ON release_coverage (canonical_id)',
      `CREATE TABLE coverage_denials (
        release_a ${text} NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
        release_b ${text} NOT NULL REFERENCES releases (id) ON DELETE CASCADE,
        denied_at ${text} NOT NULL, PRIMARY KEY (release_a, release_b))`,
      `CREATE TABLE release_days (
        source_id ${text} NOT NULL REFERENCES sources (id) ON DELETE CASCADE, day ${text} NOT NULL,
        count ${int} NOT NULL, PRIMARY KEY (source_id, day))${clustered}`,
      `CREATE TABLE source_figures (
        source_id ${text} PRIMARY KEY REFERENCES sources (id) ON DELETE CASCADE, release_count ${int} NOT NULL,
        latest_version ${text}, latest_date ${text}, latest_added_at ${text}, first_date ${text}, changed_at ${text} NOT NULL)`,
    ];
  },
};
