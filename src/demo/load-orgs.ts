// Orgs of the demo registry with their products, pages and known locations.
import { createOrg } from '../catalog/orgs/create.ts';
import { ignoreUrl } from '../catalog/orgs/ignored-urls.ts';
import { insertLocations } from '../catalog/orgs/locations.ts';
import { writePlaybookNotes } from '../catalog/overviews/playbook.ts';
import { createProduct } from '../catalog/products/create.ts';
import { updateProduct } from '../catalog/products/update.ts';
import type { Context, WriteContext } from '../context.ts';
import { toJson } from '../store/json-text.ts';
import { DAY_MS, type DemoOrg, iso } from './registry.ts';

// Writes as if the clock stood at that time, so that the history of the demo registry looks lived in.
export function at<C extends Context>(ctx: C, iso: string): C {
  return { ...ctx, clock: () => new Date(iso) };
}

interface OrgTimes {
  added: string;
  today: number;
}

export async function loadOrg(ctx: WriteContext, org: DemoOrg, { added, today }: OrgTimes): Promise<string> {
  const {
    products = [],
    playbook,
    ignoredUrls = [],
    accounts = [],
    locations,
    status,
    discovery,
    notice,
    ...creation
  } = org;
  const then = at(ctx, added);
  const handles = accounts.map((platform) => ({
    platform,
    handle: platform === 'mastodon' ? `@${org.slug}@social.example` : org.slug,
  }));
  // Nothing of the demo exists outside, so nothing of it is fetched.
  const { id } = await createOrg(then, {
    ...creation,
    accounts: handles,
    autoGenerateContent: !org.isHidden,
    fetchPaused: true,
  });
  for (const { notice, ...product } of products) {
    const { id: prod } = await createProduct(then, { ...product, orgId: id });
    if (notice) await updateProduct(then, { path: { prod }, change: { notice } });
  }
  if (playbook) await writePlaybookNotes(then, { org: id, notes: playbook });
  for (const ignored of ignoredUrls) await ignoreUrl(at(ctx, iso(today - 20 * DAY_MS)), { org: id, ...ignored });
  const columns = {
    status: status ?? 'tracked',
    discovery: discovery ?? 'curated',
    overview_cadence_days: org.featured ? 3 : null,
    notice: notice ? toJson(notice) : null,
  };
  await ctx.tx.updateTable('orgs').set(columns).where('id', '=', id).execute();
  return id;
}

// Comes after the sources that read the locations.
export async function loadLocations(
  ctx: WriteContext,
  { slug, locations = [] }: DemoOrg,
  { orgId, sources }: { orgId: string; sources: ReadonlyMap<string, string> },
): Promise<void> {
  if (locations.length === 0) return;
  const products = await ctx.tx.selectFrom('products').select(['id', 'slug']).where('org_id', '=', orgId).execute();
  const rows = locations.map(({ locator, basis, product, source }) => ({
    locator,
    basis,
    productId: products.find(({ slug }) => slug === product)?.id ?? null,
    sourceId: sources.get(`${slug}/${source}`),
  }));
  await insertLocations(ctx, orgId, rows);
}
