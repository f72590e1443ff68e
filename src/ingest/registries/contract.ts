// What the adapter of a package registry is asked, and what it answers.
import type { Ecosystem, ListingOutcome, PackageListing } from '../../domain/published-package.ts';
import type { GuardedFetch } from '../../net/fetch.ts';
import type { ListingValidators } from '../../store/schema/packages.ts';

export interface RegistryAddress {
  ecosystem: Ecosystem;
  // The scope of a private registry; null for the public one.
  scope: string | null;
  url: string;
  // Goes to this address alone.
  token: string | null;
}

export interface RegistryContext {
  fetch: GuardedFetch;
  now: Date;
  signal?: AbortSignal | undefined;
}

export interface PackageRequest {
  registry: RegistryAddress;
  // As the registry spells it.
  spelling: string;
  // What came with the listing that is stored; null asks for everything.
  validators: ListingValidators | null;
  // Versions whose times are known, so that the longer document need not be read for them.
  dated: () => Promise<ReadonlySet<string>>;
  // Whether what the manifest says is known.
  hasFacts: boolean;
}

export interface ListingFailure {
  kind: 'failure';
  outcome: Exclude<ListingOutcome, 'never_read' | 'listed' | 'unpublished'>;
  // For the operator; no text of the answer, no secrets.
  reason: string;
  // The registry asked not to be called before this time.
  retryAt: string | null;
}

export type ListingAnswer =
  | {
      kind: 'listing';
      listing: PackageListing;
      validators: ListingValidators;
      // Whether repository and homepage were told; a short listing does not know them.
      described: boolean;
      // What could not be read beside the versions.
      remark: string | null;
    }
  | { kind: 'unchanged' }
  // The registry says that the package was taken back by its owner.
  | { kind: 'unpublished' }
  | ListingFailure;

export interface RegistryAdapter {
  listVersions(ctx: RegistryContext, request: PackageRequest): Promise<ListingAnswer>;
}
