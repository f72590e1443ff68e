import type { Migration } from './migration.ts';

export const newestHits: Migration = {
  up({ newestHitsDdl }) {
    return [...newestHitsDdl('releases'), ...newestHitsDdl('chunks')];
  },
};
