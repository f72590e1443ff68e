// Automatic coverage: the rules are in `domain/coverage`, the reading and writing around them is here. Links of people
// are read and respected, never changed.
export { type CoveredPlace, coverReleases } from './cover-releases.ts';
export { BY_CASCADE, BY_RULES } from './links.ts';
