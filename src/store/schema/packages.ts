// Row types of what package registries say about packages, and of private registries.
import type { Ecosystem } from '../../contract/enums.ts';
import type { ListingOutcome } from '../../domain/published-package.ts';
import type { PackageFacts } from '../../domain/registries/package-facts.ts';
import type { DistTags } from '../../domain/upgrade/dist-tags.ts';
import type { JsonText } from '../json-text.ts';
import type { Bit } from './flag.ts';

export interface PackageTables {
  package_states: PackageStateRow;
  package_versions: PackageVersionRow;
  package_registries: PackageRegistryRow;
  package_admissions: PackageAdmissionRow;
  private_scopes: PrivateScopeRow;
}

// What a registry sent with a document, so that an unchanged one is not sent again.
export interface ListingValidators {
  etag: string | null;
  lastModified: string | null;
  // For registries that send neither.
  contentHash: string;
}

export interface PackageStateRow {
  // `npm:name`: the same package has the same key in every registry of releases.
  id: string;
  ecosystem: Ecosystem;
  // Normalised, as in the package map.
  name: string;
  // As the package registry spells it: names of old npm packages have capital letters.
  spelling: string;
  // The scope of the private registry that lists it; null for the public one.
  registry: string | null;
  // The version that an installation without a version gets.
  latest: string | null;
  // Null while none are known; only npm has them.
  dist_tags: JsonText<DistTags> | null;
  repository: string | null;
  // What the manifest of the latest version says; null while it was not read.
  facts: JsonText<PackageFacts> | null;
  homepage: string | null;
  // When a whole listing was stored or confirmed last.
  listed_at: string | null;
  checked_at: string | null;
  validators: JsonText<ListingValidators | null>;
  outcome: ListingOutcome;
  reason: string | null;
  failing_since: string | null;
  // Null: nobody wants to know it any more.
  next_read_at: string | null;
  // When somebody asked for it who has no source for it.
  wanted_at: string | null;
}

export interface PackageVersionRow {
  ecosystem: Ecosystem;
  name: string;
  // As published.
  version: string;
  version_sort: string | null;
  published_at: string | null;
  withdrawn: Bit;
  withdrawn_reason: string | null;
  deprecated: string | null;
  tarball_url: string | null;
  integrity: string | null;
  release_id: string | null;
}

// An npm registry beside the public one, which has all packages of a scope.
interface PackageRegistryRow {
  scope: string;
  url: string;
  // Sealed.
  token: string | null;
  // The last characters of the token.
  token_hint: string | null;
  created_at: string;
  updated_at: string;
}

interface PackageAdmissionRow {
  scope: string;
  user_id: string;
  created_at: string;
}

// A scope that a private registry has or had: its names go to no other one.
interface PrivateScopeRow {
  scope: string;
  created_at: string;
}
