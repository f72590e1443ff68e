import { type Context, queries } from '../context.ts';
import type { Profile } from '../contract/account.ts';
import { ApiError } from '../contract/errors.ts';
import { describeCaller } from './describe-caller.ts';
import { ownAccount } from './own-account.ts';

export async function readProfile(ctx: Context): Promise<Profile> {
  const { userId } = ownAccount(ctx);
  const user = await queries(ctx)
    .selectFrom('users')
    .select(['id', 'name', 'email', 'image', 'created_at'])
    .where('id', '=', userId)
    .executeTakeFirst();
  if (!user) throw new ApiError('unauthorized', 'the account is gone');
  const { created_at, ...rest } = user;
  const { kind, name, scopes, expiresAt } = await describeCaller(ctx);
  return { user: { ...rest, createdAt: created_at }, credential: { kind, name, scopes, expiresAt } };
}
