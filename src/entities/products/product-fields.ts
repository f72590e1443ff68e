// The row of a product as wire fields. Lists, details and search hits of products select from these.
import { type Context, queries } from '../../context.ts';
import type { ProductFields, ProductRecord, ProductRowShape } from '../../contract/product.ts';
import { pick } from '../../domain/records.ts';
import { parseJson } from '../../store/json-text.ts';
import type { ProductRow } from '../../store/schema/orgs.ts';
import { aliasesOf, tagNamesOf } from '../taxonomy/entity-labels.ts';

export function productFields(row: ProductRow): ProductFields {
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    orgId: row.org_id,
    url: row.url,
    description: row.description,
    category: row.category,
    kind: row.kind,
    avatarUrl: row.avatar_url,
    createdAt: row.created_at,
    isHidden: row.is_hidden === 1,
    notice: row.notice && parseJson(row.notice),
    updatedAt: row.updated_at,
    embeddedAt: row.embedded_at,
    deletedAt: row.deleted_at,
  };
}

// The fields that the record, the row and the detail of a product begin with.
export function productCore(fields: ProductFields) {
  return {
    ...pick(fields, 'id', 'name', 'slug', 'orgId', 'url', 'description', 'category', 'kind'),
    ...pick(fields, 'avatarUrl', 'createdAt'),
  };
}

export async function productRecords(ctx: Context, rows: readonly ProductRow[]): Promise<ProductRecord[]> {
  const figures = await loadProductFigures(
    ctx,
    rows.map((row) => row.id),
  );
  const orgs = await orgNames(ctx, rows);
  return rows.map((row) => ({
    ...productCore(productFields(row)),
    orgSlug: orgs.get(row.org_id)?.slug ?? '',
    orgName: orgs.get(row.org_id)?.name ?? '',
    sourceCount: figures.get(row.id)?.sourceCount ?? 0,
    releaseCount: figures.get(row.id)?.releaseCount ?? 0,
    latestDate: figures.get(row.id)?.latestDate ?? null,
  }));
}

async function orgNames(ctx: Context, rows: readonly ProductRow[]) {
  const ids = [...new Set(rows.map((row) => row.org_id))];
  if (ids.length === 0) return new Map<string, { slug: string; name: string }>();
  const orgs = await queries(ctx).selectFrom('orgs').select(['id', 'slug', 'name']).where('id', 'in', ids).execute();
  return new Map(orgs.map((org) => [org.id, org]));
}

// The response of writes.
export async function productRowShape(ctx: Context, row: ProductRow): Promise<ProductRowShape> {
  const figures = await loadProductFigures(ctx, [row.id]);
  const fields = productFields(row);
  return {
    ...productCore(fields),
    sourceCount: figures.get(row.id)?.sourceCount ?? 0,
    isHidden: fields.isHidden,
    tags: await tagNamesOf(ctx, { productId: row.id }),
    aliases: await aliasesOf(ctx, { productId: row.id }),
    ...pick(fields, 'notice', 'updatedAt', 'embeddedAt', 'deletedAt'),
  };
}

interface ProductFigures {
  sourceCount: number;
  releaseCount: number;
  latestDate: string | null;
}

// For a page of products, from the counters that writes maintain for each source; no release is read. The visibility of
// the product and its org is ignored: a caller who may read a hidden product sees its figures.
async function loadProductFigures(ctx: Context, productIds: readonly string[]): Promise<Map<string, ProductFigures>> {
  if (productIds.length === 0) return new Map();
  const rows = await queries(ctx)
    .selectFrom('sources as s')
    .leftJoin('source_figures as f', 'f.source_id', 's.id')
    .select(({ fn }) => [
      's.product_id',
      fn.countAll<number>().as('sources'),
      fn.sum<number | null>('f.release_count').as('releases'),
      fn.max('f.latest_date').as('latest'),
    ])
    .where('s.product_id', 'in', productIds)
    .where('s.deleted_at', 'is', null)
    .where('s.is_hidden', '=', 0)
    .groupBy('s.product_id')
    .execute();
  return new Map(
    rows.map((row) => [
      row.product_id ?? '',
      { sourceCount: Number(row.sources), releaseCount: Number(row.releases ?? 0), latestDate: row.latest ?? null },
    ]),
  );
}
