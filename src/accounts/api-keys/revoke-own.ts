import type { Context } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import { deleteApiKey } from './delete.ts';

// The one credential that may end itself here; sessions sign out, and tokens are revoked by an operator.
export async function revokeOwnKey(ctx: Context): Promise<void> {
  const { kind, account } = ctx.caller;
  if (kind !== 'user_key' || !account?.id) {
    throw new ApiError('forbidden', 'only a user key can revoke itself', { reason: 'user_key_required' });
  }
  await deleteApiKey(ctx, { userId: account.userId, id: account.id });
}
