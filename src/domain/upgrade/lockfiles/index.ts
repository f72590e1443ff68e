/**
 * What a lockfile or manifest pins: names and versions, from the text alone. Every reader makes one pass and is bounded,
 * because the files come from strangers. `read.ts` tells the formats apart.
 */
export { changedPackages, type PackageChange } from './changed-packages.ts';
export { LOCKFILE_NAMES, type Lockfile, type LockfileFormat, readLockfile } from './read.ts';
export type { LockedPackage } from './types.ts';
