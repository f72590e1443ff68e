import { type Expression, type SqlBool, sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import type { CollectionListItem } from '../../contract/collection.ts';
import { type Page, paginate } from '../../contract/pagination.ts';
import { foldName } from '../../domain/clean-text.ts';
import { containsFolded } from '../visible.ts';
import { collectionListItems } from './collection-fields.ts';

interface CollectionListInput {
  featured?: boolean;
  q?: string;
  page: number;
  limit: number;
}

export async function listCollections(ctx: Context, input: CollectionListInput): Promise<Page<CollectionListItem>> {
  let collections = queries(ctx).selectFrom('collections');
  if (input.featured !== undefined) collections = collections.where('is_featured', '=', input.featured ? 1 : 0);
  if (input.q) collections = collections.where(nameOrSlugHolds(input.q));
  const counted = await collections.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirst();
  const rows = await collections
    .selectAll()
    .orderBy('name_key')
    .orderBy('slug')
    .limit(input.limit)
    .offset((input.page - 1) * input.limit)
    .execute();
  const pagination = paginate({ ...input, returned: rows.length, total: Number(counted?.total ?? 0) });
  return { items: await collectionListItems(ctx, rows), pagination };
}

function nameOrSlugHolds(q: string): Expression<SqlBool> {
  const text = foldName(q);
  return sql<SqlBool>`(${containsFolded('name_key', text)} OR ${containsFolded('slug', text)})`;
}

// The collections that contain the org or one of its products, by name. The caller has already checked the visibility
// of the org.
export async function collectionsOfOrg(ctx: Context, orgId: string): Promise<CollectionListItem[]> {
  const products = queries(ctx)
    .selectFrom('products')
    .select('id')
    .where('org_id', '=', orgId)
    .where('deleted_at', 'is', null)
    .where('is_hidden', '=', 0);
  const holding = memberships(ctx).where((eb) => eb.or([eb('org_id', '=', orgId), eb('product_id', 'in', products)]));
  return collectionsIn(ctx, holding);
}

export async function collectionsOfProduct(ctx: Context, productId: string): Promise<CollectionListItem[]> {
  return collectionsIn(ctx, memberships(ctx).where('product_id', '=', productId));
}

async function collectionsIn(ctx: Context, holding: ReturnType<typeof memberships>): Promise<CollectionListItem[]> {
  const rows = await queries(ctx)
    .selectFrom('collections')
    .selectAll()
    .where('id', 'in', holding)
    .orderBy('name_key')
    .orderBy('slug')
    .execute();
  return collectionListItems(ctx, rows);
}

function memberships(ctx: Context) {
  return queries(ctx).selectFrom('collection_members').select('collection_id');
}
