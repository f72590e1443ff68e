import type { Migration } from './migration.ts';

// The home page reads what broke lately, and sources without dates, from an index of just those. The columns behind the
// order make the count of the former one range.
export const homeLists: Migration = {
  up: ({ planStatistics }) => [
    `CREATE INDEX releases_breaking_feed ON releases (listing, feed_at, feed_version, id, published_at)
      WHERE breaking = 'major' AND prerelease = 0`,
    `CREATE INDEX source_figures_undated ON source_figures (release_count)
      WHERE dated_count = 0 AND release_count > 0`,
    ...planStatistics('releases', { releases_breaking_feed: [50_000, 25_000, 2, 1, 1, 1] }),
  ],
};
