// Version texts: reading, order, identity and step. Start at `parse.ts`, which calls `sort-key.ts`; `prose.ts` finds versions
// in titles.

export {
  flagsPrerelease,
  isPlaceholderVersion,
  isPrerelease,
  MAX_VERSION_LENGTH,
  type ParsedVersion,
  parseVersion,
  versionIdentity,
  versionSort,
  versionStep,
} from './parse.ts';
export { versionInProse } from './prose.ts';
export type { SchemeSetting } from './sort-key.ts';
export { compareVersionKeys, feedVersionOf, schemeOfKey } from './sort-key.ts';
