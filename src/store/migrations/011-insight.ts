import type { Migration } from './migration.ts';

// What overviews, summaries and upgrade answers need besides the tables of the catalog.
export const insight: Migration = {
  number: 11,
  name: 'insight',
  up() {
    return [];
  },
};
