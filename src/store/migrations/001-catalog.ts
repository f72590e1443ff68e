import type { Migration } from './migration.ts';

// Orgs, products, sources, releases and what hangs on them. Uniqueness of names holds among live rows only.
export const catalog: Migration = {
  up({ types: { text, int, real } }) {
    return [
      `CREATE TABLE orgs (
        id ${text} PRIMARY KEY, slug ${text} NOT NULL, name ${text} NOT NULL, name_key ${text} NOT NULL,
        domain ${text}, description ${text}, category ${text}, avatar_url ${text},
        status ${text} NOT NULL, discovery ${text} NOT NULL,
        is_hidden ${int} NOT NULL DEFAULT 0, featured ${int} NOT NULL DEFAULT 0, fetch_paused ${int} NOT NULL DEFAULT 0,
        auto_generate_content ${int} NOT NULL DEFAULT 1, overview_cadence_days ${int},
        tracking_requested_at ${text}, promoting_at ${text}, notice ${text}, self_declared ${text} NOT NULL DEFAULT '[]',
        manifest_hash ${text}, manifest_checked_at ${text}, embedded_at ${text},
        release_count ${int} NOT NULL DEFAULT 0,
        created_at ${text} NOT NULL, updated_at ${text} NOT NULL, deleted_at ${text})`,
      'CREATE UNIQUE INDEX orgs_slug ON orgs (slug) WHERE deleted_at IS NULL',
      'CREATE UNIQUE INDEX orgs_domain ON orgs (domain) WHERE deleted_at IS NULL AND domain IS NOT NULL',
      // The list of orgs walks this index in order, and its counts are answered by it alone.
      'CREATE INDEX orgs_by_name ON orgs (is_hidden, deleted_at, name_key, id, release_count, category)',
      `CREATE TABLE org_accounts (
        id ${text} PRIMARY KEY, org_id ${text} NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
        platform ${text} NOT NULL, handle ${text} NOT NULL, created_at ${text} NOT NULL, deleted_at ${text})`,
      'CREATE UNIQUE INDEX org_accounts_handle ON org_accounts (platform, handle) WHERE deleted_at IS NULL',
      'CREATE INDEX org_accounts_by_org ON org_accounts (org_id, created_at)',
      `CREATE TABLE products (
        id ${text} PRIMARY KEY, org_id ${text} NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
        slug ${text} NOT NULL, name ${text} NOT NULL, name_key ${text} NOT NULL, url ${text}, description ${text},
        category ${text}, kind ${text}, avatar_url ${text}, is_hidden ${int} NOT NULL DEFAULT 0, notice ${text},
        embedded_at ${text}, created_at ${text} NOT NULL, updated_at ${text} NOT NULL, deleted_at ${text})`,
      'CREATE UNIQUE INDEX products_slug ON products (org_id, slug) WHERE deleted_at IS NULL',
      'CREATE INDEX products_by_name ON products (name_key, id)',
      'CREATE INDEX products_by_slug ON products (slug)',
      'CREATE INDEX products_by_category ON products (category)',
      `CREATE TABLE domain_aliases (
        id ${text} PRIMARY KEY, domain ${text} NOT NULL,
        org_id ${text} REFERENCES orgs (id) ON DELETE CASCADE,
        product_id ${text} REFERENCES products (id) ON DELETE CASCADE,
        created_at ${text} NOT NULL, deleted_at ${text},
        CHECK ((org_id IS NULL) <> (product_id IS NULL)))`,
      'CREATE UNIQUE INDEX domain_aliases_org ON domain_aliases (domain) WHERE org_id IS NOT NULL AND deleted_at IS NULL',
      'CREATE UNIQUE INDEX domain_aliases_product ON domain_aliases (domain, product_id) WHERE product_id IS NOT NULL AND deleted_at IS NULL',
      'CREATE INDEX domain_aliases_by_org ON domain_aliases (org_id)',
      'CREATE INDEX domain_aliases_by_product ON domain_aliases (product_id)',
      `CREATE TABLE tags (
        id ${text} PRIMARY KEY, slug ${text} NOT NULL UNIQUE, name ${text} NOT NULL, name_key ${text} NOT NULL,
        created_at ${text} NOT NULL)`,
      `CREATE TABLE org_tags (
        org_id ${text} NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
        tag_id ${text} NOT NULL REFERENCES tags (id) ON DELETE CASCADE, PRIMARY KEY (org_id, tag_id))`,
      'CREATE INDEX org_tags_by_tag ON org_tags (tag_id)',
      `CREATE TABLE product_tags (
        product_id ${text} NOT NULL REFERENCES products (id) ON DELETE CASCADE,
        tag_id ${text} NOT NULL REFERENCES tags (id) ON DELETE CASCADE, PRIMARY KEY (product_id, tag_id))`,
      'CREATE INDEX product_tags_by_tag ON product_tags (tag_id)',
      `CREATE TABLE sources (
        id ${text} PRIMARY KEY, org_id ${text} REFERENCES orgs (id) ON DELETE CASCADE,
        product_id ${text} REFERENCES products (id) ON DELETE SET NULL,
        slug ${text} NOT NULL, name ${text} NOT NULL, name_key ${text} NOT NULL, type ${text} NOT NULL,
        url ${text} NOT NULL, url_key ${text} NOT NULL, kind ${text},
        feed_url ${text}, feed_type ${text}, github_coordinate ${text}, github_id ${int},
        former_coordinates ${text} NOT NULL DEFAULT '[]',
        app_id ${text}, app_platform ${text}, app_storefront ${text}, app_icon_url ${text},
        video_provider ${text}, video_feed ${text}, changelog_url ${text}, parser ${text},
        release_type ${text}, version_scheme ${text},
        settings ${text} NOT NULL DEFAULT '{}', extra ${text} NOT NULL DEFAULT '{}',
        is_primary ${int} NOT NULL DEFAULT 0, is_hidden ${int} NOT NULL DEFAULT 0,
        discovery ${text} NOT NULL, fetch_priority ${text} NOT NULL DEFAULT 'normal',
        last_fetched_at ${text}, last_polled_at ${text}, change_detected_at ${text}, next_fetch_after ${text},
        last_looked_up_at ${text}, last_content_hash ${text}, last_outcome ${text}, failing_since ${text},
        consecutive_no_change ${int} NOT NULL DEFAULT 0, consecutive_errors ${int} NOT NULL DEFAULT 0,
        median_gap_days ${real}, last_retiered_at ${text}, stars ${int}, stars_fetched_at ${text},
        notice ${text}, embedded_at ${text},
        created_at ${text} NOT NULL, updated_at ${text} NOT NULL, deleted_at ${text})`,
      'CREATE UNIQUE INDEX sources_slug ON sources (org_id, slug) WHERE deleted_at IS NULL AND org_id IS NOT NULL',
      'CREATE UNIQUE INDEX sources_independent_slug ON sources (slug) WHERE deleted_at IS NULL AND org_id IS NULL',
      'CREATE INDEX sources_by_slug ON sources (slug)',
      'CREATE INDEX sources_by_name ON sources (name_key, id)',
      'CREATE INDEX sources_by_product ON sources (product_id)',
      'CREATE INDEX sources_by_url ON sources (url_key)',
      'CREATE INDEX sources_by_coordinate ON sources (github_coordinate)',
      `CREATE TABLE source_validators (
        source_id ${text} NOT NULL REFERENCES sources (id) ON DELETE CASCADE, endpoint ${text} NOT NULL,
        etag ${text}, last_modified ${text}, content_hash ${text}, token_fingerprint ${text}, stored_at ${text} NOT NULL,
        PRIMARY KEY (source_id, endpoint))`,
      `CREATE TABLE release_locations (
        id ${text} PRIMARY KEY, org_id ${text} NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
        product_id ${text} REFERENCES products (id) ON DELETE SET NULL,
        source_id ${text} REFERENCES sources (id) ON DELETE SET NULL,
        url ${text}, feed ${text}, github ${text}, appstore ${text}, file ${text}, title ${text},
        canonical ${int} NOT NULL DEFAULT 0, basis ${text} NOT NULL, match_key ${text} NOT NULL,
        created_at ${text} NOT NULL, updated_at ${text} NOT NULL, deleted_at ${text})`,
      'CREATE UNIQUE INDEX release_locations_key ON release_locations (org_id, match_key) WHERE deleted_at IS NULL',
      `CREATE TABLE ignored_urls (
        id ${text} PRIMARY KEY, org_id ${text} NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
        url ${text} NOT NULL, url_key ${text} NOT NULL, reason ${text}, ignored_at ${text} NOT NULL,
        UNIQUE (org_id, url_key))`,
      `CREATE TABLE blocked_urls (
        id ${text} PRIMARY KEY, pattern ${text} NOT NULL UNIQUE, pattern_key ${text} NOT NULL, type ${text} NOT NULL,
        reason ${text}, created_at ${text} NOT NULL)`,
      'CREATE INDEX blocked_urls_by_key ON blocked_urls (type, pattern_key)',
      `CREATE TABLE packages (
        id ${text} PRIMARY KEY, ecosystem ${text} NOT NULL, name ${text} NOT NULL,
        source_id ${text} NOT NULL REFERENCES sources (id) ON DELETE CASCADE, package_part ${text},
        origin ${text} NOT NULL, created_at ${text} NOT NULL, updated_at ${text} NOT NULL, UNIQUE (ecosystem, name))`,
      'CREATE INDEX packages_by_source ON packages (source_id)',
    ];
  },
};
