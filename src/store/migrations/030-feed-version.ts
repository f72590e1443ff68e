import { feedVersionOf } from '../../domain/versions/index.ts';
import type { Migration } from './migration.ts';

// Type, verdict, importance and pre-release as one number; src/releases/feeds/facet.ts asks for it in the same words.
const FACET = `(prerelease
  + CASE type WHEN 'rollup' THEN 2 ELSE 0 END
  + CASE breaking WHEN 'none' THEN 4 WHEN 'minor' THEN 8 WHEN 'major' THEN 12 ELSE 0 END
  + 16 * COALESCE(importance, 0))`;

const ORDER = 'feed_at, feed_version, id';

// Releases of the same time, and undated ones, are ordered by version instead of by when they were first read.
export const feedVersion: Migration = {
  up({ types: { text }, planStatistics }) {
    const index = (name: string, columns: string, where = '') => [
      `DROP INDEX ${name}`,
      `CREATE INDEX ${name} ON releases (${columns})${where}`,
    ];
    const ownerFeed = (name: string, column: string, where = '', more = '') =>
      index(name, `${column}, listing, ${ORDER}, prerelease, ${FACET}${more}`, where);
    return [
      `ALTER TABLE releases ADD COLUMN feed_version ${text} NOT NULL DEFAULT ''`,
      `UPDATE releases SET feed_version = substr(version_sort, 1, 120) WHERE version_sort IS NOT NULL`,
      ...index('releases_feed', `listing, ${ORDER}, prerelease`),
      ...index('releases_facet_feed', `listing, ${FACET}, ${ORDER}, source_id`),
      ...ownerFeed('releases_source_feed', 'source_id'),
      ...ownerFeed('releases_org_feed', 'org_id', ' WHERE org_id IS NOT NULL'),
      ...ownerFeed('releases_product_feed', 'product_id', ' WHERE product_id IS NOT NULL'),
      ...ownerFeed(
        'releases_category_feed',
        'effective_category',
        ' WHERE effective_category IS NOT NULL',
        ', source_id',
      ),
      ...planStatistics('releases', {
        releases_feed: [1_000_000, 500_000, 20, 2, 1, 1],
        releases_facet_feed: [1_000_000, 500_000, 50_000, 5, 2, 1, 1],
        releases_source_feed: [1_000_000, 300, 250, 2, 1, 1, 1, 1],
        releases_org_feed: [1_000_000, 600, 500, 2, 1, 1, 1, 1],
        releases_product_feed: [500_000, 600, 500, 2, 1, 1, 1, 1],
        releases_category_feed: [1_000_000, 70_000, 60_000, 5, 2, 1, 1, 1, 1],
      }),
    ];
  },
  // A word of a pre-release may hold letters beyond ASCII, which are cut off.
  async rows(tx) {
    const rows = await tx
      .selectFrom('releases')
      .select(['id', 'version_sort'])
      .where(
        ({ fn }) => fn<number>('octet_length', ['version_sort']),
        '>',
        ({ fn }) => fn<number>('length', ['version_sort']),
      )
      .execute();
    for (const { id, version_sort } of rows) {
      const feed_version = feedVersionOf(version_sort);
      await tx.updateTable('releases').set({ feed_version }).where('id', '=', id).execute();
    }
  },
};
