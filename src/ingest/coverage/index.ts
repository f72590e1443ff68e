// Automatic coverage: the rules are in `domain/coverage`, the reading and writing around them is here. Links of people
// are read and respected, never changed.
export { coverReleases } from './cover-releases.ts';
