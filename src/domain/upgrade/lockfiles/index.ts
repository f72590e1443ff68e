// What a lockfile or manifest pins: names and versions, from the text alone. Every reader makes one pass and is bounded,
// because the files come from strangers. `read.ts` tells the formats apart.
export { readLockfile } from './read.ts';
