// The ways in which the owner of an account can sign in.
import { type Context, queries } from '../../context.ts';
import { ownAccount } from '../own-account.ts';

interface SignInWays {
  hasPassword: boolean;
  // Names of other services, such as `github`.
  providers: string[];
}

export async function signInWays(ctx: Context): Promise<SignInWays> {
  const { userId } = ownAccount(ctx);
  const rows = await queries(ctx)
    .selectFrom('identities')
    .select(['provider_id', 'password'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
  return {
    hasPassword: rows.some(({ provider_id, password }) => provider_id === 'credential' && password !== null),
    providers: rows.map(({ provider_id }) => provider_id).filter((provider) => provider !== 'credential'),
  };
}
