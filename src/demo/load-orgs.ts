// Orgs of the demo registry with their products, pages and known locations.
import { createOrg } from '../catalog/orgs/create.ts';
import { ignoreUrl } from '../catalog/orgs/ignored-urls.ts';
import { insertLocations } from '../catalog/orgs/locations.ts';
import { writePlaybookNotes } from '../catalog/overviews/playbook.ts';
import { createProduct } from '../catalog/products/create.ts';
import { updateProduct } from '../catalog/products/update.ts';
import type { Context, WriteContext } from '../context.ts';
import { toJson } from '../store/json-text.ts';
import type { DemoOrg } from './types.ts';

// Writes as if the clock stood at that time, so that the history of the demo registry looks lived in.
export function at<C extends Context>(ctx: C, iso: string): C {
  return { ...ctx, clock: () => new Date(iso) };
}

export async function loadOrg(ctx: WriteContext, org: DemoOrg): Promise<string> {
  const then = at(ctx, org.createdAt);
  const { id } = await createOrg(then, org);
  for (const { notice, ...product } of org.products) {
    const { id: prod } = await createProduct(then, { ...product, orgId: id });
    if (notice) await updateProduct(then, { path: { prod }, change: { notice } });
  }
  if (org.playbookNotes) await writePlaybookNotes(then, { org: id, notes: org.playbookNotes });
  for (const { ignoredAt, ...ignored } of org.ignoredUrls) await ignoreUrl(at(ctx, ignoredAt), { org: id, ...ignored });
  const { status, discovery, overviewCadenceDays: overview_cadence_days } = org;
  const columns = { status, discovery, overview_cadence_days, notice: org.notice && toJson(org.notice) };
  await ctx.tx.updateTable('orgs').set(columns).where('id', '=', id).execute();
  return id;
}

// Comes after the sources that read the locations.
export async function loadLocations(
  ctx: WriteContext,
  org: DemoOrg,
  { orgId, sources }: { orgId: string; sources: ReadonlyMap<string, string> },
): Promise<void> {
  if (org.locations.length === 0) return;
  const products = await ctx.tx.selectFrom('products').select(['id', 'slug']).where('org_id', '=', orgId).execute();
  const rows = org.locations.map(({ locator, basis, product, source }) => ({
    locator,
    basis,
    productId: products.find(({ slug }) => slug === product)?.id ?? null,
    sourceId: sources.get(source ?? ''),
  }));
  await insertLocations(at(ctx, org.createdAt), orgId, rows);
}
