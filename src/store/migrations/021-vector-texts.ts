import type { Migration } from './migration.ts';

// Equal texts have one vector: the embedder looks for one of the same text before it makes another.
export const vectorTexts: Migration = {
  up() {
    return ['CREATE INDEX vectors_by_text ON vectors (space, text_hash)'];
  },
};
