import type { Migration } from './migration.ts';

// What manifests say of packages. Without validators the next reading of a listing is answered in full. Breaks of a week are found
// by the day of their release.
export const packageFacts: Migration = {
  up: ({ types: { text } }) => [
    `ALTER TABLE package_states ADD COLUMN facts ${text}`,
    "UPDATE package_states SET validators = 'null'",
    'CREATE INDEX package_versions_by_date ON package_versions (published_at) WHERE published_at IS NOT NULL',
  ],
};
