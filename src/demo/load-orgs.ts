// Orgs of the demo registry with their products, pages and known places.
import { createOrg } from '../catalog/orgs/create.ts';
import { ignoreUrl } from '../catalog/orgs/ignored-urls.ts';
import { locatorKey } from '../catalog/orgs/locations.ts';
import { updateOrg } from '../catalog/orgs/update.ts';
import { writePlaybookNotes } from '../catalog/overviews/playbook.ts';
import { createProduct } from '../catalog/products/create.ts';
import { updateProduct } from '../catalog/products/update.ts';
import type { WriteContext } from '../context.ts';
import { newId } from '../domain/ids.ts';
import { at } from './at-time.ts';
import type { DemoOrg, DemoProduct } from './types.ts';

export async function loadOrg(ctx: WriteContext, org: DemoOrg): Promise<void> {
  const then = at(ctx, org.createdAt);
  const { id } = await createOrg(then, {
    name: org.name,
    slug: org.slug,
    domain: org.domain ?? undefined,
    description: org.description,
    category: org.category,
    avatarUrl: org.avatarUrl ?? undefined,
    tags: org.tags,
    aliases: org.aliases,
    accounts: org.accounts,
    featured: org.featured,
    isHidden: org.isHidden,
    autoGenerateContent: org.autoGenerateContent,
    // Nothing of the demo exists outside, so nothing of it is fetched.
    fetchPaused: true,
  });
  const products = new Map<string, string>();
  for (const product of org.products) products.set(product.slug, await loadProduct(ctx, id, product));
  await updateOrg(then, {
    org: id,
    change: { notice: org.notice, discovery: org.discovery, overviewCadenceDays: org.overviewCadenceDays },
  });
  if (org.playbookNotes) await writePlaybookNotes(then, { org: id, notes: org.playbookNotes });
  for (const { url, reason, ignoredAt } of org.ignoredUrls) {
    await ignoreUrl(at(ctx, ignoredAt), { org: id, url, reason: reason ?? undefined });
  }
  await ctx.tx.updateTable('orgs').set({ status: org.status }).where('id', '=', id).execute();
  await loadLocations(ctx, id, org, products);
}

async function loadProduct(ctx: WriteContext, orgId: string, product: DemoProduct): Promise<string> {
  const then = at(ctx, product.createdAt);
  const { id } = await createProduct(then, {
    name: product.name,
    orgId,
    slug: product.slug,
    url: product.url ?? undefined,
    description: product.description ?? undefined,
    category: product.category ?? undefined,
    kind: product.kind ?? undefined,
    avatarUrl: product.avatarUrl ?? undefined,
    tags: product.tags,
    aliases: product.aliases,
    isHidden: product.isHidden,
  });
  if (product.notice) await updateProduct(then, { path: { prod: id }, change: { notice: product.notice } });
  return id;
}

// Locations are loaded with their org, before the sources that read them.
export async function linkLocations(
  ctx: WriteContext,
  orgs: readonly DemoOrg[],
  sources: ReadonlyMap<string, string>,
): Promise<void> {
  for (const { slug, locations } of orgs) {
    for (const { source, url, feed, github, appstore, file } of locations) {
      const sourceId = sources.get(source ?? '');
      if (sourceId === undefined) continue;
      await ctx.tx
        .updateTable('release_locations')
        .set({ source_id: sourceId })
        .where('match_key', '=', locatorKey({ url, feed, github, appstore, file }))
        .where('org_id', 'in', (query) => query.selectFrom('orgs').select('id').where('slug', '=', slug))
        .execute();
    }
  }
}

async function loadLocations(
  ctx: WriteContext,
  orgId: string,
  org: DemoOrg,
  products: ReadonlyMap<string, string>,
): Promise<void> {
  for (const location of org.locations) {
    const { url, feed, github, appstore, file, title } = location;
    await ctx.tx
      .insertInto('release_locations')
      .values({
        id: newId('loc', ctx.randomBytes),
        org_id: orgId,
        product_id: products.get(location.productSlug ?? '') ?? null,
        source_id: null,
        url: url ?? null,
        feed: feed ?? null,
        github: github ?? null,
        appstore: appstore ?? null,
        file: file ?? null,
        title: title ?? null,
        canonical: location.canonical ? 1 : 0,
        basis: location.basis,
        match_key: locatorKey({ url, feed, github, appstore, file }),
        created_at: org.createdAt,
        updated_at: org.createdAt,
        deleted_at: null,
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}
