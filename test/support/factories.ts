// Creates unique rows through the service's own write functions, so that no test shares data with another.

import type { Context } from '../../src/context.ts';
import type { OrgRowShape } from '../../src/contract/org.ts';
import type { ProductRowShape } from '../../src/contract/product.ts';
import type { ProductCreation } from '../../src/contract/product-input.ts';
import type { BatchResult, ReleaseInput } from '../../src/contract/release-input.ts';
import type { SourceRowShape } from '../../src/contract/source.ts';
import { createOrg as writeOrg } from '../../src/entities/orgs/create.ts';
import { createProduct as writeProduct } from '../../src/entities/products/create.ts';
import { type CreateSource, createSource as writeSource } from '../../src/entities/sources/create.ts';
import { writeReleases } from '../../src/releases/write/write-batch.ts';

let made = 0;

export function createOrg(ctx: Context, more: Partial<Parameters<typeof writeOrg>[1]> = {}): Promise<OrgRowShape> {
  made += 1;
  return writeOrg(ctx, { name: `Org ${made}`, slug: `org-${made}`, ...more });
}

export function createProduct(
  ctx: Context,
  orgId: string,
  more: Partial<ProductCreation> = {},
): Promise<ProductRowShape> {
  made += 1;
  return writeProduct(ctx, { name: `Product ${made}`, slug: `product-${made}`, orgId, ...more });
}

export function createSource(ctx: Context, more: Partial<CreateSource> = {}): Promise<SourceRowShape> {
  made += 1;
  const url = `https://source-${made}.example/changelog`;
  return writeSource(ctx, { name: `Source ${made}`, slug: `source-${made}`, url, type: 'feed', ...more });
}

// A release row with its own URL, named by its version.
export function releaseRow(version: string, more: Partial<ReleaseInput> = {}): ReleaseInput {
  return {
    title: version,
    version,
    content: `### Added\n- Thing number ${version}`,
    url: `https://releases.example/${version}`,
    publishedAt: '2026-01-02T00:00:00.000Z',
    ...more,
  };
}

export function postReleases(
  ctx: Context,
  sourceId: string,
  rows: readonly ReleaseInput[],
  more: { announce?: boolean; silent?: boolean } = {},
): Promise<BatchResult> {
  return writeReleases(ctx, { path: { src: sourceId }, rows, ...more });
}
