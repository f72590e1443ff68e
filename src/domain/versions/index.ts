// Version texts: reading, order, identity and step. Start at `parse.ts`, which calls in turn `package-part.ts`, `numbers.ts`
// and `sort-key.ts`; `prose.ts` finds versions in titles.

export type { SchemeSetting } from './numbers.ts';
export {
  flagsPrerelease,
  isPlaceholderVersion,
  isPrerelease,
  MAX_VERSION_LENGTH,
  type ParsedVersion,
  parseVersion,
  versionIdentity,
  versionSort,
} from './parse.ts';
export { versionInProse } from './prose.ts';
export { compareVersionKeys, feedVersionOf, schemeOfKey } from './sort-key.ts';
export { versionStep } from './step.ts';
