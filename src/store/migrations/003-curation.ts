import type { Migration } from './migration.ts';

export const curation: Migration = {
  up({ types: { text, int } }) {
    return [
      `CREATE TABLE summaries (
        id ${text} PRIMARY KEY, source_id ${text} NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
        type ${text} NOT NULL, year ${int} NOT NULL, month ${int} NOT NULL, window_days ${int} NOT NULL,
        summary ${text} NOT NULL, release_count ${int} NOT NULL, generated_at ${text} NOT NULL)`,
      "CREATE UNIQUE INDEX summaries_rolling ON summaries (source_id, window_days) WHERE type = 'rolling'",
      "CREATE UNIQUE INDEX summaries_monthly ON summaries (source_id, year, month) WHERE type = 'monthly'",
      `CREATE TABLE pages (
        id ${text} PRIMARY KEY, scope ${text} NOT NULL, org_id ${text} NOT NULL REFERENCES orgs (id) ON DELETE CASCADE,
        product_id ${text} REFERENCES products (id) ON DELETE CASCADE, content ${text} NOT NULL, notes ${text},
        release_count ${int} NOT NULL DEFAULT 0, last_contributing_release_at ${text},
        generated_at ${text} NOT NULL, updated_at ${text} NOT NULL)`,
      'CREATE UNIQUE INDEX pages_org ON pages (scope, org_id) WHERE product_id IS NULL',
      'CREATE UNIQUE INDEX pages_product ON pages (scope, product_id) WHERE product_id IS NOT NULL',
      `CREATE TABLE page_citations (
        id ${text} PRIMARY KEY, page_id ${text} NOT NULL REFERENCES pages (id) ON DELETE CASCADE,
        position ${int} NOT NULL, source_url ${text} NOT NULL, title ${text},
        release_id ${text} REFERENCES releases (id) ON DELETE SET NULL,
        start_index ${int} NOT NULL, end_index ${int} NOT NULL, cited_text ${text} NOT NULL)`,
      'CREATE INDEX page_citations_by_page ON page_citations (page_id, position)',
      'CREATE INDEX page_citations_by_release ON page_citations (release_id)',
      `CREATE TABLE changelog_files (
        id ${text} PRIMARY KEY, source_id ${text} NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
        path ${text} NOT NULL, filename ${text} NOT NULL, url ${text} NOT NULL, raw_url ${text} NOT NULL,
        blob_hash ${text} NOT NULL, bytes ${int} NOT NULL, total_chars ${int} NOT NULL, total_tokens ${int} NOT NULL,
        truncated_at ${int}, canonical ${int} NOT NULL, fetched_at ${text} NOT NULL,
        headings ${text} NOT NULL, content ${text} NOT NULL, UNIQUE (source_id, path))`,
      `CREATE TABLE collections (
        id ${text} PRIMARY KEY, slug ${text} NOT NULL UNIQUE, name ${text} NOT NULL, name_key ${text} NOT NULL,
        description ${text}, is_featured ${int} NOT NULL DEFAULT 0, embedded_at ${text},
        created_at ${text} NOT NULL, updated_at ${text} NOT NULL)`,
      `CREATE TABLE collection_members (
        collection_id ${text} NOT NULL REFERENCES collections (id) ON DELETE CASCADE,
        org_id ${text} REFERENCES orgs (id) ON DELETE CASCADE,
        product_id ${text} REFERENCES products (id) ON DELETE CASCADE,
        position ${int} NOT NULL, created_at ${text} NOT NULL, CHECK ((org_id IS NULL) <> (product_id IS NULL)))`,
      'CREATE UNIQUE INDEX collection_members_org ON collection_members (collection_id, org_id) WHERE org_id IS NOT NULL',
      'CREATE UNIQUE INDEX collection_members_product ON collection_members (collection_id, product_id) WHERE product_id IS NOT NULL',
      'CREATE INDEX collection_members_by_org ON collection_members (org_id)',
      'CREATE INDEX collection_members_by_product ON collection_members (product_id)',
      `CREATE TABLE categories (
        slug ${text} PRIMARY KEY, name ${text}, description ${text}, aliases ${text} NOT NULL DEFAULT '[]',
        updated_at ${text} NOT NULL)`,
      `CREATE TABLE settings (key ${text} PRIMARY KEY, value ${text} NOT NULL, updated_at ${text} NOT NULL)`,
    ];
  },
};
