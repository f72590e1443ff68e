import type { Migration } from './migration.ts';

// Type, verdict, importance and pre-release as one number; src/releases/feeds/facet.ts asks for it in the same words.
const FACET = `(prerelease
  + CASE type WHEN 'rollup' THEN 2 ELSE 0 END
  + CASE breaking WHEN 'none' THEN 4 WHEN 'minor' THEN 8 WHEN 'major' THEN 12 ELSE 0 END
  + 16 * COALESCE(importance, 0))`;

const ORDER = 'feed_at, fetched_at, id';

// Feeds of the whole registry with filters walk one range for each facet; those of an owner check the facet of each entry.
export const facets: Migration = {
  up({ planStatistics }) {
    const ownerFeed = (name: string, column: string, where: string, more = '') => [
      `DROP INDEX ${name}`,
      `CREATE INDEX ${name} ON releases (${column}, listing, ${ORDER}, prerelease, ${FACET}${more})${where}`,
    ];
    return [
      `CREATE INDEX releases_facet_feed ON releases (listing, ${FACET}, ${ORDER}, source_id)`,
      ...ownerFeed('releases_source_feed', 'source_id', ''),
      ...ownerFeed('releases_org_feed', 'org_id', ' WHERE org_id IS NOT NULL'),
      ...ownerFeed('releases_product_feed', 'product_id', ' WHERE product_id IS NOT NULL'),
      ...ownerFeed(
        'releases_category_feed',
        'effective_category',
        ' WHERE effective_category IS NOT NULL',
        ', source_id',
      ),
      // A large registry, as it usually looks: an owner has far fewer releases than a range of dates may have.
      ...planStatistics('releases', {
        releases_feed: [1_000_000, 500_000, 20, 2, 1, 1],
        releases_facet_feed: [1_000_000, 500_000, 50_000, 5, 2, 1, 1],
        releases_source_feed: [1_000_000, 300, 250, 2, 1, 1, 1, 1],
        releases_org_feed: [1_000_000, 600, 500, 2, 1, 1, 1, 1],
        releases_product_feed: [500_000, 600, 500, 2, 1, 1, 1, 1],
        releases_category_feed: [1_000_000, 70_000, 60_000, 5, 2, 1, 1, 1, 1],
        releases_by_guid: [1_000_000, 300, 1],
        releases_by_version: [1_000_000, 300, 250, 1],
        releases_by_canonical: [20_000, 2],
        releases_provisional: [200_000, 300],
      }),
    ];
  },
};
