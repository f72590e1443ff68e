import { type Context, now, transact, type WriteContext } from '../../context.ts';
import { notFound } from '../../contract/errors.ts';
import type { ProductRow } from '../../store/schema/orgs.ts';
import { recordAudit } from '../audit.ts';
import { type Deletion, requireHardDeletion } from '../hard-deletion.ts';
import { findOrg, type ProductPath } from '../resolve.ts';
import { lockChildSlugs, lockedProduct } from '../slug-claim.ts';
import { productRowShape } from './product-fields.ts';
import { detachSources } from './sources.ts';

export function deleteProduct(ctx: Context, input: { path: ProductPath; hard: boolean }): Promise<Deletion> {
  return input.hard ? eraseProduct(ctx, input.path) : softDeleteProduct(ctx, input.path);
}

async function softDeleteProduct(ctx: Context, path: ProductPath): Promise<Deletion> {
  return transact(ctx, async (ctx) => {
    const { product } = await lockedProduct(ctx, path);
    const deletedAt = now(ctx);
    const before = await productRowShape(ctx, product);
    await ctx.tx.updateTable('products').set({ deleted_at: deletedAt }).where('id', '=', product.id).execute();
    await ctx.tx
      .updateTable('domain_aliases')
      .set({ deleted_at: deletedAt })
      .where('product_id', '=', product.id)
      .where('deleted_at', 'is', null)
      .execute();
    const sourceIds = await detachSources(ctx, product.id);
    await ctx.ports.webhooks.dropTargets(ctx, { productIds: [product.id] });
    await recordAudit(ctx, {
      action: 'product.delete',
      targetType: 'product',
      targetId: product.id,
      before: { ...before, sourceIds },
    });
    return { deleted: true, deletedAt };
  });
}

// A hard deletion also finds soft-deleted products.
async function eraseProduct(ctx: Context, path: ProductPath): Promise<Deletion> {
  const id = 'prod' in path ? path.prod : path.product;
  requireHardDeletion(ctx, { prefix: 'prod', value: id });
  return transact(ctx, async (ctx) => {
    const { org_id } = await storedProduct(ctx, path, id);
    await lockChildSlugs(ctx, org_id);
    const before = await productRowShape(ctx, await storedProduct(ctx, path, id));
    const sourceIds = await detachSources(ctx, id);
    await ctx.tx.deleteFrom('products').where('id', '=', id).execute();
    await ctx.ports.webhooks.dropTargets(ctx, { productIds: [id] });
    await recordAudit(ctx, {
      action: 'product.erase',
      targetType: 'product',
      targetId: id,
      before: { ...before, sourceIds },
    });
    return { deleted: true, hard: true };
  });
}

// The org in the path may itself be deleted; its id still identifies it.
async function storedProduct(ctx: WriteContext, path: ProductPath, id: string): Promise<ProductRow> {
  const row = await ctx.tx.selectFrom('products').selectAll().where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('product', id);
  if ('org' in path && path.org !== row.org_id && (await findOrg(ctx, path.org))?.id !== row.org_id) {
    throw notFound('product', id);
  }
  return row;
}
