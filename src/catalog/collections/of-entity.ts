// The collections that an org or a product is part of, by name.
import { type Context, queries } from '../../context.ts';
import type { CollectionListItem } from '../../contract/collection.ts';
import { collectionListItems } from './collection-fields.ts';

// Those that hold the org or any of its products. Whether the org itself is hidden was decided when it was resolved.
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
