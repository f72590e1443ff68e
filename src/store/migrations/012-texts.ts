import type { Migration } from './migration.ts';

// What generated texts were made from, so that each is written again when that has changed and not before.
export const texts: Migration = {
  up({ types: { text } }) {
    return [
      `ALTER TABLE summaries ADD COLUMN basis ${text}`,
      `ALTER TABLE pages ADD COLUMN origin ${text} NOT NULL DEFAULT 'operator'`,
      `CREATE TABLE summary_passes (
        source_id ${text} PRIMARY KEY REFERENCES sources (id) ON DELETE CASCADE,
        changed_at ${text} NOT NULL, day ${text} NOT NULL)`,
      `CREATE TABLE refinements (
        release_id ${text} PRIMARY KEY REFERENCES releases (id) ON DELETE CASCADE,
        content_hash ${text} NOT NULL, outcome ${text} NOT NULL, at ${text} NOT NULL)`,
    ];
  },
};
