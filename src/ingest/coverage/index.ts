// Automatic coverage: the rules are in `domain/coverage`, queries and writes are here. Links that people have set are
// respected and never changed.
export { coverReleases } from './cover-releases.ts';
