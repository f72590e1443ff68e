// Apps that may ask users for access.
import { type Context, now, queries, transact } from '../../context.ts';
import { ApiError } from '../../contract/errors.ts';
import type { AuthMethod } from '../../contract/oauth-client.ts';
import { randomBase62 } from '../../domain/secret-text.ts';
import { parseJson, toJson } from '../../store/json-text.ts';
import type { OAuthClientRow } from '../../store/schema/oauth.ts';
import { storedForm } from './grants.ts';
import { newAccountId } from './ids.ts';
import { OAUTH_SCOPES, type OAuthScope } from './scopes.ts';

const UNUSED_MS = 90 * 86_400_000;
const CLIENT_ID_LENGTH = 24;

interface NewClient {
  // Null when the app has no name; users then see its id.
  name: string | null;
  redirectUris: readonly string[];
  postLogoutRedirectUris?: readonly string[];
  authMethod: AuthMethod;
  // The scopes that the app may ask for; all of them when absent.
  scopes?: readonly OAuthScope[];
  byOperator: boolean;
  trusted?: boolean;
}

interface CreatedClient {
  row: OAuthClientRow;
  // Null for a public app, which has no secret.
  secret: string | null;
}

export function createClient(ctx: Context, input: NewClient): Promise<CreatedClient> {
  return transact(ctx, async (ctx) => {
    const secret = input.authMethod === 'none' ? null : mintClientSecret(ctx.randomBytes);
    const at = now(ctx);
    const row = await ctx.tx
      .insertInto('oauth_clients')
      .values({
        id: newAccountId('oauthClient', ctx.randomBytes),
        client_id: randomBase62(CLIENT_ID_LENGTH, ctx.randomBytes),
        client_secret: secret?.stored ?? null,
        name: input.name,
        redirect_uris: toJson(input.redirectUris),
        post_logout_redirect_uris: toJson(input.postLogoutRedirectUris ?? []),
        token_endpoint_auth_method: input.authMethod,
        application_type: 'native',
        grant_types: toJson(['authorization_code', 'refresh_token']),
        response_types: toJson(['code']),
        scopes: toJson<string>(input.scopes ?? OAUTH_SCOPES),
        require_pkce: 1,
        enable_end_session: 1,
        disabled: 0,
        skip_consent: input.trusted ? 1 : 0,
        by_operator: input.byOperator ? 1 : 0,
        last_used_at: null,
        created_at: at,
        updated_at: at,
      } as OAuthClientRow)
      .returningAll()
      .executeTakeFirstOrThrow();
    return { row, secret: secret?.value ?? null };
  });
}

export async function findClient(ctx: Context, clientId: string): Promise<OAuthClientRow | null> {
  const row = await queries(ctx)
    .selectFrom('oauth_clients')
    .selectAll()
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  return row ?? null;
}

export async function requireClient(ctx: Context, clientId: string): Promise<OAuthClientRow> {
  const row = await findClient(ctx, clientId);
  if (!row) throw new ApiError('client_not_found', `app not found: ${clientId}`, { entity: 'client', value: clientId });
  return row;
}

export function redirectUrisOf({ redirect_uris }: Pick<OAuthClientRow, 'redirect_uris'>): string[] {
  return parseJson(redirect_uris);
}

export function scopesOf({ scopes }: Pick<OAuthClientRow, 'scopes'>): OAuthScope[] {
  const held = scopes === null ? OAUTH_SCOPES : parseJson(scopes);
  return OAUTH_SCOPES.filter((scope) => held.includes(scope));
}

export async function noteClientUse(ctx: Context, clientId: string): Promise<void> {
  await ctx.store.transaction(
    (tx) =>
      tx
        .updateTable('oauth_clients')
        .set({ last_used_at: now(ctx) })
        .where('client_id', '=', clientId)
        .execute(),
    'bookkeeping',
  );
}

// Apps that registered themselves and have not been used for a long time; with them goes what they were granted.
export async function forgetUnusedClients(ctx: Context): Promise<void> {
  const before = new Date(ctx.clock().getTime() - UNUSED_MS).toISOString();
  await ctx.store.transaction(
    (tx) =>
      tx
        .deleteFrom('oauth_clients')
        .where('by_operator', '=', 0)
        .where((eb) =>
          eb.or([
            eb('last_used_at', '<', before),
            eb.and([eb('last_used_at', 'is', null), eb('created_at', '<', before)]),
          ]),
        )
        .execute(),
    'bookkeeping',
  );
}

export const CLIENT_SECRET_PREFIX = 'reloc_';

interface ClientSecret {
  // The secret is shown once.
  value: string;
  stored: string;
}

export function mintClientSecret(randomBytes: (size: number) => Uint8Array): ClientSecret {
  const secret = randomBase62(43, randomBytes);
  return { value: `${CLIENT_SECRET_PREFIX}${secret}`, stored: storedForm(secret) };
}
