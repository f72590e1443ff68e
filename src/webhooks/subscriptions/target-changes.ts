// What happens to subscriptions when the org, source or product that they name is deleted or moved, or when their account is
// disabled.
import { now, type WriteContext } from '../../context.ts';
import type { DeletedEntities } from '../../ports.ts';
import type { SourceRow } from '../../store/schema/sources.ts';

const FILTER_TARGET_DELETED = 'filter target deleted';

// A subscription is deleted with its org; when the target of a filter is deleted, it is disabled, because it would match
// other releases.
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

const FILTER_TARGET_MOVED = 'filter target moved';

// A subscription to a moved source follows it to its new org. When no release could match any more, because the source has no
// org or left the requested product, the webhook is disabled with a reason.
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

const ACCOUNT_DISABLED = 'account disabled';

// Only subscriptions that were stopped with the account start again with it; paused ones stay paused.
export async function pauseOwner(ctx: WriteContext, input: { userId: string; paused: boolean }): Promise<void> {
  const { userId, paused } = input;
  const own = ctx.tx.updateTable('webhook_subscriptions').where('user_id', '=', userId);
  if (paused) {
    await own
      .set({ enabled: 0, disabled_reason: ACCOUNT_DISABLED, updated_at: now(ctx) })
      .where('enabled', '=', 1)
      .execute();
    return;
  }
  await own
    .set({
      enabled: 1,
      disabled_reason: null,
      consecutive_failures: 0,
      consecutive_lost_events: 0,
      failure_streak_started_at: null,
      updated_at: now(ctx),
    })
    .where('enabled', '=', 0)
    .where('disabled_reason', '=', ACCOUNT_DISABLED)
    .execute();
}

export async function isOwnerDisabled(ctx: WriteContext, userId: string | null): Promise<boolean> {
  if (userId === null) return false;
  const user = await ctx.tx.selectFrom('users').select('disabled_at').where('id', '=', userId).executeTakeFirst();
  return user !== undefined && user.disabled_at !== null;
}
