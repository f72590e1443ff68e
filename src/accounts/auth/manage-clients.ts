// Apps as an operator handles them.

import { type Context, now, queries, transact, type WriteContext } from '../../context.ts';
import { ApiError, validationFailed } from '../../contract/errors.ts';
import type {
  OAuthClient,
  OAuthClientChange,
  OAuthClientCreation,
  OAuthClientWithSecret,
} from '../../contract/oauth-client.ts';
import { recordAudit } from '../../entities/audit.ts';
import type { OAuthClientRow } from '../../store/schema/oauth.ts';
import { createClient, mintClientSecret, redirectUrisOf, requireClient, scopesOf } from './clients.ts';
import { redirectUrisFault } from './redirect-uri.ts';

export function addClient(ctx: Context, input: OAuthClientCreation): Promise<OAuthClientWithSecret> {
  const fault = redirectUrisFault(input.redirectUris);
  if (fault) throw validationFailed([{ path: 'redirectUris', reason: fault }]);
  return transact(ctx, async (ctx) => {
    const { row, secret } = await createClient(ctx, {
      name: input.name ?? null,
      redirectUris: input.redirectUris,
      scopes: input.scopes && [...new Set(input.scopes)],
      authMethod: input.tokenEndpointAuthMethod ?? (input.public ? 'none' : 'client_secret_basic'),
      trusted: input.trusted,
      byOperator: true,
    });
    await audit(ctx, { action: 'create', targetId: row.client_id, after: toClient(row) });
    return { ...toClient(row), clientSecret: secret };
  });
}

export async function listClients(ctx: Context): Promise<{ clients: OAuthClient[] }> {
  const rows = await queries(ctx)
    .selectFrom('oauth_clients')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return { clients: rows.map(toClient) };
}

export async function getClient(ctx: Context, input: { id: string }): Promise<OAuthClient> {
  return toClient(await requireClient(ctx, input.id));
}

export function changeClient(ctx: Context, input: { id: string; change: OAuthClientChange }): Promise<OAuthClient> {
  const { disabled, trusted } = input.change;
  return transact(ctx, async (ctx) => {
    const before = await requireClient(ctx, input.id);
    const after = await updateClient(ctx, input.id, {
      ...(disabled === undefined ? {} : { disabled: disabled ? 1 : 0 }),
      ...(trusted === undefined ? {} : { skip_consent: trusted ? 1 : 0 }),
    });
    await audit(ctx, { action: 'update', targetId: input.id, before: toClient(before), after: toClient(after) });
    return toClient(after);
  });
}

// The old secret ends at once.
export function rotateClientSecret(ctx: Context, input: { id: string }): Promise<OAuthClientWithSecret> {
  return transact(ctx, async (ctx) => {
    const before = await requireClient(ctx, input.id);
    if (before.token_endpoint_auth_method === 'none') throw new ApiError('conflict', 'this app has no secret');
    const secret = mintClientSecret(ctx.randomBytes);
    const after = await updateClient(ctx, input.id, { client_secret: secret.stored });
    await audit(ctx, { action: 'rotate_secret', targetId: input.id });
    return { ...toClient(after), clientSecret: secret.value };
  });
}

// With the app goes everything that it was granted.
export function deleteClient(ctx: Context, input: { id: string }): Promise<{ deleted: true; clientId: string }> {
  return transact(ctx, async (ctx) => {
    const before = await requireClient(ctx, input.id);
    await ctx.tx.deleteFrom('oauth_clients').where('client_id', '=', input.id).execute();
    await audit(ctx, { action: 'delete', targetId: input.id, before: toClient(before) });
    return { deleted: true, clientId: input.id };
  });
}

function updateClient(ctx: WriteContext, id: string, change: Partial<OAuthClientRow>): Promise<OAuthClientRow> {
  return ctx.tx
    .updateTable('oauth_clients')
    .set({ ...change, updated_at: now(ctx) })
    .where('client_id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

interface ClientChange {
  action: 'create' | 'update' | 'rotate_secret' | 'delete';
  targetId: string;
  before?: OAuthClient;
  after?: OAuthClient;
}

function audit(ctx: WriteContext, { action, ...change }: ClientChange): Promise<void> {
  return recordAudit(ctx, { action: `oauth_client.${action}`, targetType: 'oauth_client', ...change });
}

function toClient(row: OAuthClientRow): OAuthClient {
  return {
    clientId: row.client_id,
    name: row.name,
    redirectUris: redirectUrisOf(row),
    scopes: scopesOf(row),
    public: row.token_endpoint_auth_method === 'none',
    tokenEndpointAuthMethod: row.token_endpoint_auth_method ?? 'client_secret_basic',
    trusted: row.skip_consent === 1,
    disabled: row.disabled === 1,
    registeredBy: row.by_operator === 1 ? 'operator' : 'itself',
    createdAt: row.created_at,
    lastUsedAt: row.last_used_at,
  };
}
