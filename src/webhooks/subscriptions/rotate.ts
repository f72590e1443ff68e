import { type Context, now, transact } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import type { RotatedKey } from '../../contract/webhooks.ts';
import { shownKey } from '../../domain/webhooks/signature.ts';
import { recordAudit } from '../../entities/audit.ts';
import { newKey, OVERLAP_MS } from '../keys.ts';
import { takeChange } from '../limits.ts';
import { refuseField } from '../refusals.ts';
import { isForeign, lockSubscription, ownedSubscription, type SubscriptionOwner } from './owner.ts';

interface Rotation {
  id: string;
  owner: SubscriptionOwner;
  // Ends the old key at once instead of after a day.
  revokeOld?: boolean;
}

// One previous key stays valid; a second rotation before its end drops the older one.
export async function rotateKey(ctx: Context, { id, owner, revokeOld = false }: Rotation): Promise<RotatedKey> {
  const known = await ownedSubscription(ctx, { id, owner });
  if (isForeign(owner, known)) {
    throw new ApiError('forbidden', 'the key of an account belongs to that account alone');
  }
  if (owner !== 'operator') await takeChange(ctx, owner.userId);
  return transact(ctx, async (ctx) => {
    const row = await lockSubscription(ctx, { id, owner });
    if (row.signing_key === null) {
      throw refuseField({
        field: 'format',
        reason: `${row.format} messages are not signed; there is no key to rotate`,
      });
    }
    const version = row.secret_version + 1;
    const { key, sealed } = newKey(ctx, { id, version });
    const expiresAt = revokeOld ? null : new Date(ctx.clock().getTime() + OVERLAP_MS).toISOString();
    await ctx.tx
      .updateTable('webhook_subscriptions')
      .set({
        secret_version: version,
        signing_key: sealed,
        previous_key: revokeOld ? null : row.signing_key,
        previous_key_expires_at: expiresAt,
        updated_at: now(ctx),
      })
      .where('id', '=', id)
      .execute();
    if (owner === 'operator') {
      const facts = { secretVersion: version, previousKeyExpiresAt: expiresAt };
      await recordAudit(ctx, { action: 'webhook.rotate', targetType: 'webhook', targetId: id, after: facts });
    }
    return { secretVersion: version, ...shownKey(key), previousKeyExpiresAt: expiresAt };
  });
}
