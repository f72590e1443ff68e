// Entities named by their slug, for tests that compare lists, and helpers for such tests.

import { type Context, now } from '../../src/context.ts';
import { SYSTEM } from '../../src/contract/caller.ts';
import { ApiError } from '../../src/contract/errors.ts';
import type { OrgCreation } from '../../src/contract/org-input.ts';
import type { ProductCreation } from '../../src/contract/product-input.ts';
import type { ReleaseInput } from '../../src/contract/release-input.ts';
import { deleteOrg } from '../../src/entities/orgs/delete.ts';
import type { CreateSource } from '../../src/entities/sources/create.ts';
import { createOrg, createProduct, createSource, postReleases } from './factories.ts';

type Named<T> = Partial<T> & { slug: string };

// Rows that a test only needs to exist are written by the system, so that the audit log contains only the writes of the
// test.
function quietly(ctx: Context): Context {
  return { ...ctx, caller: SYSTEM };
}

export function makeOrg(ctx: Context, given: Named<OrgCreation>) {
  return createOrg(quietly(ctx), { name: given.slug, ...given });
}

export async function makeDeletedOrg(ctx: Context, given: Named<OrgCreation>) {
  const org = await makeOrg(ctx, given);
  await deleteOrg(quietly(ctx), { org: org.id, hard: false });
  return org;
}

export function makeProduct(ctx: Context, { orgId, ...given }: Named<ProductCreation> & { orgId: string }) {
  return createProduct(quietly(ctx), orgId, { name: given.slug, ...given });
}

export function makeSource(ctx: Context, given: Named<CreateSource>) {
  return createSource(quietly(ctx), { name: given.slug, ...given });
}

// One release per version, a day apart, the last one today.
export function addReleases(
  ctx: Context,
  source: { id: string },
  versions: readonly string[],
  more: Partial<ReleaseInput> = {},
) {
  const today = Date.parse(now(ctx).slice(0, 10));
  const rows = versions.map((version, index) => ({
    title: version,
    version,
    content: `Notes of ${version}`,
    url: `https://releases.example/${source.id}/${version}`,
    publishedAt: new Date(today - (versions.length - 1 - index) * 86_400_000).toISOString(),
    ...more,
  }));
  return postReleases(quietly(ctx), source.id, rows);
}

// A JSON copy: the rows of one engine have no prototype, which would fail a deep comparison.
export function plain<T>(value: T): T {
  return JSON.parse(JSON.stringify(value)) as T;
}

// Runs twenty calls at once and returns the result or the error code of each.
export async function atOnce<T>(work: (index: number) => Promise<T>): Promise<(T | string)[]> {
  const settled = await Promise.allSettled(Array.from({ length: 20 }, (_, index) => work(index)));
  return settled.map((one) => {
    if (one.status === 'fulfilled') return one.value;
    if (one.reason instanceof ApiError) return one.reason.code;
    throw one.reason;
  });
}
