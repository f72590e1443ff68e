/**
 * Version texts: reading, order, identity, step and latest. Start at `parse.ts`, which calls in turn `text.ts`,
 * `package-part.ts`, `numbers.ts`, `suffix.ts` and `sort-key.ts`; `prose.ts` finds versions in titles.
 */
export { versionIdentity } from './identity.ts';
export { latestVersion, type VersionedRelease } from './latest.ts';
export type { SchemeSetting, VersionScheme } from './numbers.ts';
export { flagsPrerelease, isPrerelease, type ParsedVersion, parseVersion, versionSort } from './parse.ts';
export { versionInProse } from './prose.ts';
export { compareVersionKeys, schemeOfKey } from './sort-key.ts';
export { type VersionStep, versionStep } from './step.ts';
export type { Certainty } from './suffix.ts';
export { isPlaceholderVersion, MAX_VERSION_LENGTH } from './text.ts';
