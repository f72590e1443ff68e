// Creates and updates the products that a manifest declares.

import type { WriteContext } from '../../context.ts';
import { KINDS } from '../../contract/enums.ts';
import type { DeclaredProduct, ManifestFile } from '../../contract/manifest-file.ts';
import type { ProductChange } from '../../contract/product-input.ts';
import { toProductId } from '../../domain/ids.ts';
import { deriveSlug, isReservedChildSlug } from '../../domain/slugs.ts';
import { isHttpUrl } from '../../domain/urls.ts';
import { locatorKey } from '../../entities/orgs/locations.ts';
import { createProduct } from '../../entities/products/create.ts';
import { updateProduct } from '../../entities/products/update.ts';
import { findCategory } from '../../entities/taxonomy/category.ts';
import { addTags } from '../../entities/taxonomy/entity-labels.ts';
import type { OrgRow, ProductRow } from '../../store/schema/orgs.ts';
import { type KnownOrg, printOf } from './known.ts';
import { matchSource } from './survey.ts';

// Returns product ids in the order of the manifest. Texts from the manifest are recorded in the memory of the org.
export async function writeProducts(ctx: WriteContext, known: KnownOrg, file: ManifestFile): Promise<string[]> {
  const stated = file.registries?.[ctx.config.name]?.product;
  const only = file.products.length === 1 && stated !== undefined ? toProductId(stated) : null;
  const taken = new Set<string>();
  const ids: string[] = [];
  for (const declared of file.products) {
    const free = known.products.filter(({ id }) => !taken.has(id));
    const row = matchProduct(known, free, declared, only);
    const id = row ? await changeProduct(ctx, known, row, declared) : await addProduct(ctx, known, declared);
    taken.add(id);
    ids.push(id);
  }
  return ids;
}

// Matches by id, then by a shared locator, then by exact name.
function matchProduct(
  known: KnownOrg,
  products: readonly ProductRow[],
  declared: DeclaredProduct,
  id: string | null,
): ProductRow | null {
  const byId = products.find((product) => product.id === id);
  if (byId) return byId;
  const shared = declared.releases.flatMap((locator) => {
    const location = known.locations.find((row) => row.match_key === locatorKey(locator));
    return [location?.product_id, matchSource(locator, known.sources)?.product_id];
  });
  const byLocator = products.find((product) => shared.includes(product.id));
  return byLocator ?? products.find((product) => product.name === declared.name) ?? null;
}

const FIELDS = ['description', 'url', 'category', 'kind'] as const;
type ProductField = (typeof FIELDS)[number];

// The manifest owns a field that is empty or still holds the text that it gave last.
async function changeProduct(
  ctx: WriteContext,
  { memory }: KnownOrg,
  row: ProductRow,
  declared: DeclaredProduct,
): Promise<string> {
  const given = await fieldsOf(ctx, declared);
  const prints = memory.products[row.id] ?? {};
  const change: ProductChange = {};
  for (const field of FIELDS) {
    const value = given[field];
    const stored = row[field];
    if (value === undefined || (stored !== null && prints[field] !== printOf(stored))) continue;
    prints[field] = printOf(value);
    if (value !== stored) Object.assign(change, { [field]: value });
  }
  memory.products[row.id] = prints;
  if (Object.keys(change).length > 0) await updateProduct(ctx, { path: { prod: row.id }, change });
  await addTags(ctx, { productId: row.id }, usableTags(declared.tags));
  return row.id;
}

async function addProduct(ctx: WriteContext, { org, memory }: KnownOrg, declared: DeclaredProduct): Promise<string> {
  const given = await fieldsOf(ctx, declared);
  const slug = await freeSlug(ctx, org, declared);
  const tags = usableTags(declared.tags);
  const { id } = await createProduct(ctx, { name: declared.name, slug, orgId: org.id, ...given, tags });
  const prints = Object.entries(given).map(([field, value]) => [field, printOf(value)]);
  memory.products[id] = Object.fromEntries(prints);
  return id;
}

// Unknown kinds and categories are ignored.
async function fieldsOf(
  ctx: WriteContext,
  { description, website, category, kind }: DeclaredProduct,
): Promise<Partial<Record<ProductField, string>> & { kind?: (typeof KINDS)[number] }> {
  const known = {
    description: description?.trim() || undefined,
    url: website !== undefined && isHttpUrl(website) ? website : undefined,
    category: (category && (await findCategory(ctx, category))) || undefined,
    kind: KINDS.find((one) => one === kind),
  };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined));
}

// A manifest has no caller to refuse, so a taken slug is numbered.
async function freeSlug(ctx: WriteContext, org: OrgRow, declared: DeclaredProduct): Promise<string> {
  const taken = await ctx.tx
    .selectFrom('products')
    .select('slug')
    .where('org_id', '=', org.id)
    .where('deleted_at', 'is', null)
    .execute();
  return freeProductSlug(declared, org.slug, new Set(taken.map(({ slug }) => slug)));
}

export function freeProductSlug(
  declared: Pick<DeclaredProduct, 'slug' | 'name'>,
  orgSlug: string,
  taken: ReadonlySet<string>,
): string {
  const derived = deriveSlug(declared.slug ?? '', 76) ?? deriveSlug(declared.name, 76) ?? 'product';
  const wanted = isReservedChildSlug(derived) ? (deriveSlug(`${orgSlug}-${derived}`, 76) ?? derived) : derived;
  for (let number = 2, slug = wanted; ; number += 1) {
    if (!taken.has(slug)) return slug;
    slug = `${wanted}-${number}`;
  }
}

export function usableTags(tags: readonly string[] | undefined): string[] {
  return (tags ?? []).filter((tag) => deriveSlug(tag) !== null);
}
