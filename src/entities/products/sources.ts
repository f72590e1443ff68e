// Sources outlive their product: they are detached when it is deleted and attached again when it is restored.
import { z } from 'zod';
import { now, type WriteContext } from '../../context.ts';
import { parseJson } from '../../store/json-text.ts';
import type { ProductRow } from '../../store/schema/orgs.ts';

const detachedSources = z.object({ sourceIds: z.array(z.string()).optional() });

export async function relistProduct(ctx: WriteContext, productId: string): Promise<void> {
  const rows = await ctx.tx
    .selectFrom('sources')
    .select('id')
    .where('product_id', '=', productId)
    .where('deleted_at', 'is', null)
    .execute();
  await ctx.ports.releases.relist(ctx, idsOf(rows));
}

// Deleted sources are detached too, or they would be restored with a product that no longer exists.
export async function detachSources(ctx: WriteContext, productId: string): Promise<string[]> {
  const rows = await ctx.tx
    .updateTable('sources')
    .set({ product_id: null, updated_at: now(ctx) })
    .where('product_id', '=', productId)
    .returning('id')
    .execute();
  const ids = idsOf(rows).sort();
  await ctx.ports.releases.relist(ctx, ids);
  return ids;
}

// The audit row of the deletion lists them. A source that has moved since then stays where it is.
export async function reattachSources(ctx: WriteContext, product: ProductRow): Promise<void> {
  const deletion = await ctx.tx
    .selectFrom('audit_log')
    .select('before')
    .where('target_id', '=', product.id)
    .where('action', '=', 'product.delete')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  const before = deletion?.before ? parseJson(deletion.before) : null;
  const { sourceIds = [] } = detachedSources.parse(before ?? {});
  if (sourceIds.length === 0) return;
  const rows = await ctx.tx
    .updateTable('sources')
    .set({ product_id: product.id, updated_at: now(ctx) })
    .where('id', 'in', sourceIds)
    .where('org_id', '=', product.org_id)
    .where('product_id', 'is', null)
    .returning('id')
    .execute();
  await ctx.ports.releases.relist(ctx, idsOf(rows).sort());
}

function idsOf(rows: readonly { id: string }[]): string[] {
  return rows.map((row) => row.id);
}
