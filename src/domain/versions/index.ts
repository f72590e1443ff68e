// Version texts: reading, order, identity and step. Start at `parse.ts`, which calls in turn `text.ts`,
// `package-part.ts`, `numbers.ts`, `suffix.ts` and `sort-key.ts`; `prose.ts` finds versions in titles.

export type { SchemeSetting } from './numbers.ts';
export {
  flagsPrerelease,
  isPrerelease,
  type ParsedVersion,
  parseVersion,
  versionIdentity,
  versionSort,
} from './parse.ts';
export { versionInProse } from './prose.ts';
export { compareVersionKeys, feedVersionOf, schemeOfKey } from './sort-key.ts';
export { versionStep } from './step.ts';
export { isPlaceholderVersion, MAX_VERSION_LENGTH } from './text.ts';
