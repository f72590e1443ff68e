import type { Migration } from './migration.ts';

const SHOWN_SOURCES = `sources s LEFT JOIN products p ON p.id = s.product_id
  WHERE s.org_id = orgs.id AND s.deleted_at IS NULL AND s.is_hidden = 0 AND COALESCE(p.is_hidden, 0) = 0`;

// Figures of the whole registry are sums over its orgs, and lists of sources are counted and ordered on an index alone.
export const registryTotals: Migration = {
  up({ types: { int } }) {
    return [
      `ALTER TABLE orgs ADD COLUMN source_count ${int} NOT NULL DEFAULT 0`,
      `UPDATE orgs SET source_count = (SELECT COUNT(*) FROM ${SHOWN_SOURCES})`,
      `ALTER TABLE source_figures ADD COLUMN dated_count ${int} NOT NULL DEFAULT 0`,
      `UPDATE source_figures SET dated_count = COALESCE((SELECT d.through FROM release_days d
        WHERE d.source_id = source_figures.source_id ORDER BY d.day DESC LIMIT 1), 0)`,
      'DROP INDEX orgs_by_name',
      `CREATE INDEX orgs_by_name
        ON orgs (is_hidden, deleted_at, name_key, id, release_count, category, featured, status, source_count)`,
      'CREATE INDEX source_figures_by_date ON source_figures (latest_date)',
      // Deleted ones too: what leaves a feed moves the time of its last change.
      'CREATE INDEX sources_by_org ON sources (org_id)',
      'DROP INDEX sources_by_name',
      `CREATE INDEX sources_by_name ON sources (name_key, id, is_hidden, org_id, product_id, type, last_fetched_at)
        WHERE deleted_at IS NULL`,
    ];
  },
};
