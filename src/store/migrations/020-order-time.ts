import type { Migration } from './migration.ts';

export const orderTime: Migration = {
  up({ types: { text } }) {
    return [
      // An undated release that was announced when it was inserted stands in feeds where its event stood. Of those
      // whose event has been forgotten nothing is known; they stay where they are.
      `UPDATE releases SET feed_at = fetched_at
        WHERE published_at IS NULL AND feed_at = '' AND id IN (SELECT release_id FROM events)`,
      // When what a private feed shows last changed, as far as anybody has looked.
      `ALTER TABLE feed_tokens ADD COLUMN content_hash ${text}`,
      `ALTER TABLE feed_tokens ADD COLUMN modified_at ${text}`,
    ];
  },
};
