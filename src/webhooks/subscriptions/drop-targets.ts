// What becomes of subscriptions when the org, source or product that they name is deleted.
import { now, type WriteContext } from '../../context.ts';
import type { DeletedEntities } from '../../ports.ts';

const FILTER_TARGET_DELETED = 'filter target deleted';

// Without its org a subscription has no meaning; without a filter's target it would tell of something else.
export async function dropTargets(ctx: WriteContext, deleted: DeletedEntities): Promise<void> {
  const { orgId, sourceIds = [], productIds = [] } = deleted;
  if (orgId !== undefined) await ctx.tx.deleteFrom('webhook_subscriptions').where('org_id', '=', orgId).execute();
  await disable(ctx, 'source_id', sourceIds);
  await disable(ctx, 'product_id', productIds);
}

async function disable(ctx: WriteContext, column: 'source_id' | 'product_id', ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  await ctx.tx
    .updateTable('webhook_subscriptions')
    .set({ enabled: 0, disabled_reason: FILTER_TARGET_DELETED, updated_at: now(ctx) })
    .where(column, 'in', ids)
    .where('enabled', '=', 1)
    .execute();
}
