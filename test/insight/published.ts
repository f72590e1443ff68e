// Listings of package registries for tests: what is published, without asking anybody.

import { type Context, now, transact } from '../../src/context.ts';
import type { Ecosystem, ListedVersion } from '../../src/domain/published-package.ts';
import { storeListing } from '../../src/packages/listings/store-listing.ts';

type Published = string | (Pick<ListedVersion, 'version'> & Partial<ListedVersion>);

interface ListingOptions {
  ecosystem?: Ecosystem;
  // The highest version unless given.
  latest?: string | null;
  tags?: Record<string, string>;
  listedAt?: string;
  registry?: string | null;
}

export async function listPublished(
  ctx: Context,
  name: string,
  versions: readonly Published[],
  { ecosystem = 'npm', latest, tags, listedAt = now(ctx), registry = null }: ListingOptions = {},
): Promise<void> {
  const listed = versions.map((one) => listedVersion(typeof one === 'string' ? { version: one } : one));
  const listing = {
    ecosystem,
    spelling: name,
    registry,
    latest: latest === undefined ? (listed.at(-1)?.version ?? null) : latest,
    ...(tags ? { tags } : {}),
    repository: null,
    homepage: null,
    versions: listed,
  };
  await transact(ctx, (ctx) => storeListing(ctx, listing, { listedAt }));
}

function listedVersion(given: Pick<ListedVersion, 'version'> & Partial<ListedVersion>): ListedVersion {
  return {
    publishedAt: null,
    withdrawn: false,
    withdrawnReason: null,
    deprecated: null,
    tarballUrl: null,
    integrity: null,
    ...given,
  };
}
