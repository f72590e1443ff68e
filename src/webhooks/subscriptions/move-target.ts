// What becomes of subscriptions when a source that they name is filed elsewhere.
import { now, type WriteContext } from '../../context.ts';
import type { SourceRow } from '../../store/schema/sources.ts';

const FILTER_TARGET_MOVED = 'filter target moved';

// Whoever asked for this very source goes on hearing of it, under its new org. Where no release could pass any more,
// because the source has no org or left the product that is asked for too, a disabled webhook says so.
export async function moveTarget(
  ctx: WriteContext,
  { id, org_id: orgId, product_id: productId }: Pick<SourceRow, 'id' | 'org_id' | 'product_id'>,
): Promise<void> {
  const at = now(ctx);
  if (orgId !== null) {
    await ctx.tx
      .updateTable('webhook_subscriptions')
      .set({ org_id: orgId, updated_at: at })
      .where('source_id', '=', id)
      .where('org_id', '<>', orgId)
      .where('product_id', 'is', null)
      .execute();
  }
  await ctx.tx
    .updateTable('webhook_subscriptions')
    .set({ enabled: 0, disabled_reason: FILTER_TARGET_MOVED, updated_at: at })
    .where('source_id', '=', id)
    .where('enabled', '=', 1)
    .$if(orgId !== null, (query) =>
      query.where('product_id', 'is not', null).where('product_id', 'is distinct from', productId),
    )
    .execute();
}
