// What an app was granted. A grant begins with an authorization code, and everything issued in it carries the hash of
// that code; when the grant is revoked, so is all of that, tokens that are stored nowhere included.
import { createHash } from 'node:crypto';
import { type Context, queries, transact } from '../../context.ts';
import type { OAuthRefreshTokenRow } from '../../store/schema/oauth.ts';

export const REFRESH_PREFIX = 'relo_';
export const REFRESH_SECONDS = 30 * 86_400;
// Longer than an access token lives.
export const REMEMBERED_SECONDS = 2 * 3600;

// As the sign-in library stores codes, refresh tokens and client secrets.
export function storedForm(value: string): string {
  return createHash('sha256').update(value).digest('base64url');
}

export async function findRefreshToken(ctx: Context, presented: string): Promise<OAuthRefreshTokenRow | null> {
  if (!presented.startsWith(REFRESH_PREFIX)) return null;
  const row = await queries(ctx)
    .selectFrom('oauth_refresh_tokens')
    .selectAll()
    .where('token', '=', storedForm(presented.slice(REFRESH_PREFIX.length)))
    .executeTakeFirst();
  return row ?? null;
}

// Also called for codes that never existed; their row expires soon.
export function revokeGrant(ctx: Context, grantId: string): Promise<void> {
  return transact(
    ctx,
    async (ctx) => {
      await ctx.tx.deleteFrom('oauth_refresh_tokens').where('authorization_code_id', '=', grantId).execute();
      const expires = new Date(ctx.clock().getTime() + REMEMBERED_SECONDS * 1000).toISOString();
      await ctx.tx
        .insertInto('oauth_revoked_grants')
        .values({ id: grantId, expires_at: expires })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ expires_at: expires }))
        .execute();
    },
    'bookkeeping',
  );
}
