import { type Context, queries } from '../../context.ts';
import type { Kind } from '../../contract/enums.ts';
import type { OrgCatalog } from '../../contract/org-catalog.ts';
import { pick } from '../../domain/records.ts';
import { countedSources } from '../activity/counts.ts';
import { openOrg } from '../open.ts';
import { productFields } from '../products/product-fields.ts';
import { sourceRowFields } from '../sources/source-fields.ts';
import { visibleProducts } from './products.ts';

interface OrgCatalogInput {
  org: string;
  entryType?: 'source' | 'product';
  kind?: Kind;
  // The limit applies to each type of entry.
  limit: number;
}

// The products and sources of an org in one short list: products first, then sources, each by name.
export async function orgCatalog(ctx: Context, input: OrgCatalogInput): Promise<OrgCatalog> {
  const { id, slug, name } = await openOrg(ctx, input.org);
  const products = input.entryType === 'source' ? [] : await productEntries(ctx, id, input);
  const sources = input.entryType === 'product' ? [] : await sourceEntries(ctx, id, input);
  return { org: { id, slug, name }, items: [...products, ...sources] };
}

async function productEntries(ctx: Context, orgId: string, input: OrgCatalogInput): Promise<OrgCatalog['items']> {
  const products = await visibleProducts(ctx, orgId);
  return products
    .filter((product) => input.kind === undefined || product.kind === input.kind)
    .slice(0, input.limit)
    .map((product) => ({
      entryType: 'product',
      ...pick(productFields(product), 'kind', 'id', 'slug', 'name', 'url', 'description', 'category'),
    }));
}

// A source without a kind has that of its product.
async function sourceEntries(ctx: Context, orgId: string, input: OrgCatalogInput): Promise<OrgCatalog['items']> {
  const sources = await countedSources(ctx, { orgId });
  const products = await queries(ctx)
    .selectFrom('products')
    .select(['id', 'kind'])
    .where('org_id', '=', orgId)
    .execute();
  const kinds = new Map(products.map((product) => [product.id, product.kind]));
  return sources
    .map((source) => ({ source, kind: source.kind ?? kinds.get(source.product_id ?? '') ?? null }))
    .filter(({ kind }) => input.kind === undefined || kind === input.kind)
    .slice(0, input.limit)
    .map(({ source, kind }) => ({
      entryType: 'source',
      kind,
      ...pick(sourceRowFields(source), 'id', 'slug', 'name', 'type', 'url', 'productId'),
    }));
}
