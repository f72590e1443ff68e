// What becomes of the subscriptions of an account that an operator disables or enables.
import { now, type WriteContext } from '../../context.ts';

const ACCOUNT_DISABLED = 'account disabled';

// Only what was stopped with the account starts again with it; what its owner had paused stays so.
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
