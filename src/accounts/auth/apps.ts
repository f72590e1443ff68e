// Apps that an account has granted access to, as their owner sees and ends them.
import { type Context, now, queries, transact } from '../../context.ts';
import { notFound } from '../../contract/errors.ts';
import { ownAccount } from '../own-account.ts';
import { REMEMBERED_SECONDS, revokeGrant } from './grants.ts';

export interface ConnectedApp {
  clientId: string;
  name: string | null;
  // Made by the operator; anybody can register the others under any name.
  isVerified: boolean;
  scopes: string[];
  grantedAt: string;
  lastUsedAt: string | null;
}

export async function listApps(ctx: Context): Promise<ConnectedApp[]> {
  const { userId } = ownAccount(ctx);
  const rows = await queries(ctx)
    .selectFrom('oauth_consents as c')
    .innerJoin('oauth_clients as a', 'a.client_id', 'c.client_id')
    .select(['c.client_id', 'c.scopes', 'c.created_at', 'a.name', 'a.by_operator', 'a.last_used_at'])
    .where('c.user_id', '=', userId)
    .orderBy('c.created_at', 'desc')
    .orderBy('c.id', 'desc')
    .execute();
  return rows.map((row) => ({
    clientId: row.client_id,
    name: row.name,
    isVerified: row.by_operator === 1,
    scopes: JSON.parse(row.scopes) as string[],
    grantedAt: row.created_at,
    lastUsedAt: row.last_used_at,
  }));
}

// The app has to ask again. What it was given so far ends: refresh tokens with their grants, and access tokens, which are
// stored nowhere, by a note that is older than every token of a later grant.
export async function revokeApp(ctx: Context, { clientId }: { clientId: string }): Promise<void> {
  const { userId } = ownAccount(ctx);
  await transact(
    ctx,
    async (ctx) => {
      const deleted = await ctx.tx
        .deleteFrom('oauth_consents')
        .where('user_id', '=', userId)
        .where('client_id', '=', clientId)
        .returning('id')
        .execute();
      if (deleted.length === 0) throw notFound('app', clientId);
      const grants = await ctx.tx
        .selectFrom('oauth_refresh_tokens')
        .select('authorization_code_id')
        .distinct()
        .where('user_id', '=', userId)
        .where('client_id', '=', clientId)
        .execute();
      for (const { authorization_code_id: id } of grants) if (id !== null) await revokeGrant(ctx, id);
      await ctx.tx
        .deleteFrom('oauth_refresh_tokens')
        .where('user_id', '=', userId)
        .where('client_id', '=', clientId)
        .execute();
      const expires = new Date(Date.parse(now(ctx)) + REMEMBERED_SECONDS * 1000).toISOString();
      await ctx.tx
        .insertInto('oauth_revoked_grants')
        .values({ id: revokedAppId({ userId, clientId }), expires_at: expires })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ expires_at: expires }))
        .execute();
    },
    'bookkeeping',
  );
}

export function revokedAppId({ userId, clientId }: { userId: string; clientId: string }): string {
  return `app:${userId}:${clientId}`;
}

// Whether a token of the app was issued before its owner revoked it.
export function isRevokedApp(revokedUntil: string | null, issuedAt: number): boolean {
  if (revokedUntil === null) return false;
  return issuedAt * 1000 <= Date.parse(revokedUntil) - REMEMBERED_SECONDS * 1000;
}
