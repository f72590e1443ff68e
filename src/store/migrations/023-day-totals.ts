import type { Migration } from './migration.ts';

// How many releases a source had up to each day, so that those since any day are one subtraction and no sum.
export const dayTotals: Migration = {
  up({ types: { int } }) {
    return [
      `ALTER TABLE release_days ADD COLUMN through ${int} NOT NULL DEFAULT 0`,
      `UPDATE release_days SET through = totals.through
        FROM (SELECT source_id, day, SUM(count) OVER (PARTITION BY source_id ORDER BY day) AS through FROM release_days) AS totals
        WHERE totals.source_id = release_days.source_id AND totals.day = release_days.day`,
    ];
  },
};
