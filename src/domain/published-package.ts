// A package as its registry spells and lists it.

import type { Ecosystem } from './ecosystems/index.ts';
import type { PackageFacts } from './registries/package-facts.ts';
import type { DistTags } from './upgrade/dist-tags.ts';

export {
  ECOSYSTEMS,
  type Ecosystem,
  isPossibleName,
  normalizePackageName,
  packageKey,
  packageOfKey,
  scopeOf,
} from './ecosystems/index.ts';

// The page of a package below the address of the site. The `@` and the slash of a scoped name stay readable.
export function packageAddress(ecosystem: string, name: string): string {
  return `/packages/${ecosystem}/${name.split('/').map(encodeURIComponent).join('/').replace('%40', '@')}`;
}

export const LISTING_OUTCOMES = [
  'never_read',
  'listed',
  'unpublished',
  'not_found',
  'refused',
  'rate_limited',
  'unreadable',
  'too_large',
  'unreachable',
] as const;

// `listed` and `unpublished` are what a registry says about a package; the others are failures, which say nothing.
export type ListingOutcome = (typeof LISTING_OUTCOMES)[number];

// Longer texts are cut: they are strangers' words.
export const MAX_STATEMENT_LENGTH = 500;
export const MAX_VERSION_LENGTH = 200;

export interface ListedVersion {
  // As published.
  version: string;
  publishedAt: string | null;
  withdrawn: boolean;
  withdrawnReason: string | null;
  deprecated: string | null;
  tarballUrl: string | null;
  integrity: string | null;
}

// All that a registry lists of one package: never a part of it.
export interface PackageListing {
  ecosystem: Ecosystem;
  // As the registry spells it.
  spelling: string;
  // The scope of the private registry that was asked; null for the public one.
  registry: string | null;
  latest: string | null;
  // Of npm alone.
  tags?: DistTags;
  repository: string | null;
  homepage: string | null;
  // Null or absent where it was not told.
  facts?: PackageFacts | null;
  versions: readonly ListedVersion[];
}

const SCOPE = /^@[a-z0-9~][a-z0-9._~-]{0,100}$/;

export function isScope(text: string): boolean {
  return SCOPE.test(text);
}
