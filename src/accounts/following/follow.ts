// Following an org, a product or a package, and no longer following it.

import { type Context, now, transact } from '../../context.ts';
import type { FollowInput, TargetType } from '../../contract/account.ts';
import { ApiError, notFound } from '../../contract/errors.ts';
import { isId, toProductId } from '../../domain/ids.ts';
import { packageKey, packageOfKey } from '../../domain/published-package.ts';
import { openOrg, openProduct } from '../../entities/open.ts';
import { findPackage } from '../../packages/details/known-package.ts';
import { ownAccount } from '../describe-caller.ts';

const MAX_FOLLOWS = 2000;

// True when the target was not followed before.
export async function follow(ctx: Context, { targetType, targetId }: FollowInput): Promise<boolean> {
  const { userId } = ownAccount(ctx);
  const target = await publicTarget(ctx, targetType, targetId);
  return transact(
    ctx,
    async (ctx) => {
      await ctx.store.dialect.lock(ctx.tx, `follows ${userId}`);
      const own = ctx.tx.selectFrom('follows').where('user_id', '=', userId);
      const known = await own
        .select('target_id')
        .where('target_type', '=', targetType)
        .where('target_id', '=', target)
        .executeTakeFirst();
      if (known) return false;
      const { count } = await own.select(({ fn }) => fn.countAll<number>().as('count')).executeTakeFirstOrThrow();
      if (Number(count) >= MAX_FOLLOWS) {
        throw new ApiError('limit_exceeded', `an account follows at most ${MAX_FOLLOWS} orgs, products and packages`, {
          limit: MAX_FOLLOWS,
          scope: 'follows',
        });
      }
      const row = { user_id: userId, target_type: targetType, target_id: target, created_at: now(ctx) };
      await ctx.tx.insertInto('follows').values(row).execute();
      return true;
    },
    'bookkeeping',
  );
}

export async function unfollow(ctx: Context, input: { targetType: TargetType; targetId: string }): Promise<void> {
  const { userId } = ownAccount(ctx);
  const targetId = storedId(input.targetType, input.targetId);
  await transact(
    ctx,
    ({ tx }) =>
      tx
        .deleteFrom('follows')
        .where('user_id', '=', userId)
        .where('target_type', '=', input.targetType)
        .where('target_id', '=', targetId)
        .execute(),
    'bookkeeping',
  );
}

function storedId(type: TargetType, id: string): string {
  if (type === 'product') return toProductId(id);
  const named = type === 'package' ? packageOfKey(id) : null;
  return named ? packageKey(named) : id;
}

async function publicTarget(ctx: Context, type: TargetType, id: string): Promise<string> {
  if (type === 'org') {
    if (!isId(id, 'org')) throw notFound('org', id, { field: 'targetId' });
    return (await openOrg(ctx, id)).id;
  }
  if (type === 'package') {
    const named = packageOfKey(id);
    const known = named && (await findPackage(ctx, named));
    if (!known) throw notFound('package', id, { field: 'targetId' });
    return packageKey(known);
  }
  const productId = toProductId(id);
  if (!isId(productId, 'prod')) throw notFound('product', id, { field: 'targetId' });
  return (await openProduct(ctx, { prod: productId })).product.id;
}
