import { type Context, now, transact, type WriteContext } from '../../context.ts';
import { ApiError, notFound } from '../../contract/errors.ts';
import type { ProductRowShape } from '../../contract/product.ts';
import type { ProductRow } from '../../store/schema/orgs.ts';
import { recordAudit } from '../audit.ts';
import { findOrg } from '../resolve.ts';
import { claimSlug, lockChildSlugs } from '../slug-claim.ts';
import { productRowShape } from './product-fields.ts';
import { reattachSources } from './sources.ts';

// Restores a product with its aliases, and those of its former sources that have no other product.
export async function restoreProduct(ctx: Context, input: { prod: string }): Promise<ProductRowShape> {
  return transact(ctx, async (ctx) => {
    await lockChildSlugs(ctx, (await storedProduct(ctx, input.prod)).org_id);
    const row = await storedProduct(ctx, input.prod);
    if (row.deleted_at === null) return productRowShape(ctx, row);
    const org = await findOrg(ctx, row.org_id);
    if (!org) throw new ApiError('conflict', 'the org of this product is deleted', { reason: 'org_deleted' });
    await claimSlug(ctx, { entity: 'product', org, slug: row.slug, name: row.name, exceptId: row.id });

    const next: ProductRow = { ...row, deleted_at: null, updated_at: now(ctx) };
    await ctx.tx
      .updateTable('products')
      .set({ deleted_at: null, updated_at: next.updated_at })
      .where('id', '=', row.id)
      .execute();
    await ctx.tx
      .updateTable('domain_aliases')
      .set({ deleted_at: null })
      .where('product_id', '=', row.id)
      .where('deleted_at', '=', row.deleted_at)
      .execute();
    await reattachSources(ctx, next);
    const shape = await productRowShape(ctx, next);
    await recordAudit(ctx, { action: 'product.restore', targetType: 'product', targetId: row.id, after: shape });
    return shape;
  });
}

async function storedProduct(ctx: WriteContext, id: string): Promise<ProductRow> {
  const row = await ctx.tx.selectFrom('products').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('product', id);
  return row;
}
