import type { Migration } from './migration.ts';

// A claim on a package stands at a location of its repository: the path of a manifest, or a tag.
export const claimLocation: Migration = {
  up: () => ['ALTER TABLE package_claims RENAME COLUMN place TO location'],
};
