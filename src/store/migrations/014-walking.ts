import type { Migration } from './migration.ts';

export const walking: Migration = {
  up({ walkingDdl }) {
    return [...walkingDdl('releases'), ...walkingDdl('chunks')];
  },
};
