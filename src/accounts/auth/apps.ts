// Apps that have access to an account, as its owner sees and ends them: those that were granted it, and those that the
// operator trusts, which hold tokens without having asked. An access token alone is stored nowhere: an app that has nothing
// else is not known here, and its access ends within the hour.
import { type Context, now, queries, transact } from '../../context.ts';
import { notFound } from '../../contract/errors.ts';
import { type JsonText, parseJson } from '../../store/json-text.ts';
import type { OAuthClientRow } from '../../store/schema/oauth.ts';
import { ownAccount } from '../describe-caller.ts';
import { REMEMBERED_SECONDS, revokeGrant } from './grants.ts';

export interface ConnectedApp {
  clientId: string;
  name: string | null;
  // Made by the operator; anybody can register the others under any name.
  isVerified: boolean;
  // The operator trusts it, so that it need not ask.
  skipsConsent: boolean;
  scopes: string[];
  grantedAt: string;
  lastUsedAt: string | null;
}

export async function listApps(ctx: Context): Promise<ConnectedApp[]> {
  const { userId } = ownAccount(ctx);
  const consents = await queries(ctx)
    .selectFrom('oauth_consents as c')
    .innerJoin('oauth_clients as a', 'a.client_id', 'c.client_id')
    .select(['c.client_id', 'c.scopes', 'c.created_at', ...APP_COLUMNS])
    .where('c.user_id', '=', userId)
    .execute();
  const tokens = await queries(ctx)
    .selectFrom('oauth_refresh_tokens as t')
    .innerJoin('oauth_clients as a', 'a.client_id', 't.client_id')
    .select(['t.client_id', 't.scopes', 't.created_at', ...APP_COLUMNS])
    .where('t.user_id', '=', userId)
    .where('t.revoked', 'is', null)
    .where('t.expires_at', '>', now(ctx))
    .orderBy('t.created_at')
    .execute();
  const granted = new Set(consents.map((row) => row.client_id));
  const unrequested = tokens.filter((row) => !granted.has(row.client_id));
  const byApp = Map.groupBy([...consents, ...unrequested], (row) => row.client_id);
  return [...byApp].flatMap(connectedApp).sort((a, b) => b.grantedAt.localeCompare(a.grantedAt));
}

const APP_COLUMNS = ['a.name', 'a.by_operator', 'a.skip_consent', 'a.last_used_at'] as const;

interface GrantRow extends Pick<OAuthClientRow, 'name' | 'by_operator' | 'skip_consent' | 'last_used_at'> {
  client_id: string;
  scopes: JsonText<string[]>;
  created_at: string;
}

// The consent to an app, or its tokens, the oldest first.
function connectedApp([clientId, grants]: [string, readonly GrantRow[]]): ConnectedApp[] {
  const [first] = grants;
  if (!first) return [];
  const scopes = new Set(grants.flatMap(({ scopes }) => parseJson(scopes)));
  return [
    {
      clientId,
      name: first.name,
      isVerified: first.by_operator === 1,
      skipsConsent: first.skip_consent === 1,
      scopes: [...scopes],
      grantedAt: first.created_at,
      lastUsedAt: first.last_used_at,
    },
  ];
}

// The app has to ask again, unless it never asks. What it was given so far ends: refresh tokens with their grants, and access tokens, which are
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
      const grants = await ctx.tx
        .selectFrom('oauth_refresh_tokens')
        .select('authorization_code_id')
        .distinct()
        .where('user_id', '=', userId)
        .where('client_id', '=', clientId)
        .execute();
      if (deleted.length === 0 && grants.length === 0) throw notFound('app', clientId);
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
