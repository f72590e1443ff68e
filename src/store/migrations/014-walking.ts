import type { Migration } from './migration.ts';

export const walking: Migration = {
  number: 14,
  name: 'walking',
  up({ walkingDdl }) {
    return [...walkingDdl('releases'), ...walkingDdl('chunks')];
  },
};
