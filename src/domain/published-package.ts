// A package as its registry spells and lists it.
import type { PackageName } from './upgrade/requested-package.ts';

export const ECOSYSTEMS = ['npm', 'pypi'] as const;
export type Ecosystem = (typeof ECOSYSTEMS)[number];

// The spelling under which a package registry itself would find the package.
export function normalizePackageName(ecosystem: Ecosystem, name: string): string {
  const folded = name.trim().toLowerCase();
  return ecosystem === 'pypi' ? folded.replace(/[-_.]+/g, '-') : folded;
}

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

export function packageKey({ ecosystem, name }: PackageName): string {
  return `${ecosystem}:${name}`;
}

// Null for a text that no key of a package is.
export function packageOfKey(key: string): PackageName | null {
  const at = key.indexOf(':');
  const ecosystem = ECOSYSTEMS.find((one) => one === key.slice(0, at));
  const name = key.slice(at + 1).trim();
  if (ecosystem === undefined || name === '' || name.length > 214) return null;
  return { ecosystem, name: normalizePackageName(ecosystem, name) };
}

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
  repository: string | null;
  homepage: string | null;
  versions: readonly ListedVersion[];
}

// The scope of an npm name: `@acme` of `@acme/forms`.
export function scopeOf({ ecosystem, name }: PackageName): string | null {
  const end = name.indexOf('/');
  return ecosystem === 'npm' && name.startsWith('@') && end > 1 ? name.slice(0, end) : null;
}

const SCOPE = /^@[a-z0-9~][a-z0-9._~-]{0,100}$/;

export function isScope(text: string): boolean {
  return SCOPE.test(text);
}
