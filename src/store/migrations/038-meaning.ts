import type { Migration } from './migration.ts';

const ORDER = 'feed_at, feed_version, id';

// What a release means to its reader: whether it repairs a security problem, and whether the package itself proves a break.
// Both are filled in afterwards, a page at a time, so that the new indexes begin empty. Subscriptions filter by them, and
// releases that were judged after their event wait for a second look.
export const meaning: Migration = {
  up({ types: { text, int }, planStatistics }) {
    const index = (name: string, columns: string, where = '') =>
      `CREATE INDEX ${name} ON releases (${columns}) WHERE security = 1${where}`;
    return [
      `ALTER TABLE releases ADD COLUMN security ${int} NOT NULL DEFAULT 0`,
      `ALTER TABLE releases ADD COLUMN proven ${int} NOT NULL DEFAULT 0`,
      index('releases_security_feed', `listing, ${ORDER}`),
      index('releases_security_source', `source_id, listing, ${ORDER}`),
      index('releases_security_org', `org_id, listing, ${ORDER}`, ' AND org_id IS NOT NULL'),
      `ALTER TABLE webhook_subscriptions ADD COLUMN min_breaking ${text}`,
      `ALTER TABLE webhook_subscriptions ADD COLUMN min_importance ${int}`,
      `ALTER TABLE webhook_subscriptions ADD COLUMN security ${int} NOT NULL DEFAULT 0`,
      `CREATE TABLE reclassifications (
        release_id ${text} PRIMARY KEY REFERENCES releases (id) ON DELETE CASCADE, noted_at ${text} NOT NULL)`,
      ...planStatistics('releases', {
        releases_security_feed: [50_000, 25_000, 2, 1, 1],
        releases_security_source: [50_000, 15, 12, 1, 1, 1],
        releases_security_org: [50_000, 30, 25, 1, 1, 1],
      }),
    ];
  },
};
