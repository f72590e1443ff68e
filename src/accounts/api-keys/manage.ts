// The keys of an account as its owner handles them.
import { type Context, now, queries, transact } from '../../context.ts';
import {
  type ApiKeyInput,
  type ApiKeyList,
  type MintedApiKey,
  USER_KEY_SCOPES,
  type UserKeyScope,
} from '../../contract/account.ts';
import { ApiError, badRequest, notFound } from '../../contract/errors.ts';
import { randomBase62 } from '../../domain/secret-text.ts';
import type { ApiKeyRow } from '../../store/schema/accounts.ts';
import { ownAccount } from '../describe-caller.ts';
import { hashOf, mintUserKey, startOf } from './user-key.ts';

const MAX_ACTIVE = 5;
const DAY_MS = 86_400_000;

export async function mintApiKey(ctx: Context, input: ApiKeyInput): Promise<Required<MintedApiKey>> {
  const { userId } = ownAccount(ctx);
  requireSession(ctx);
  const scope = USER_KEY_SCOPES.find((one) => one === (input.scope ?? 'read'));
  if (scope === undefined) throw badRequest('scope', 'must be read or stacks');
  const { expiresInDays } = input;
  const expiresAt = expiresInDays ? new Date(ctx.clock().getTime() + expiresInDays * DAY_MS).toISOString() : null;
  return transact(
    ctx,
    async (ctx) => {
      await ctx.store.dialect.lock(ctx.tx, `api keys ${userId}`);
      if ((await activeKeys(ctx, userId)) >= MAX_ACTIVE) {
        throw new ApiError('api_key_limit', `an account has at most ${MAX_ACTIVE} active keys`, {
          limit: MAX_ACTIVE,
        });
      }
      const { key, row } = await createApiKey(ctx, { userId, name: input.name, scope, expiresAt });
      const { id, name, start, created_at } = row;
      return { key, id, name, start, scope, remaining: null, expiresAt, createdAt: created_at };
    },
    'bookkeeping',
  );
}

// How many of the keys that an account may have are in use.
export async function keyUsage(ctx: Context): Promise<{ active: number; most: number }> {
  return { active: await activeKeys(ctx, ownAccount(ctx).userId), most: MAX_ACTIVE };
}

export async function listApiKeys(ctx: Context): Promise<ApiKeyList> {
  const { userId } = ownAccount(ctx);
  const rows = await queries(ctx)
    .selectFrom('api_keys')
    .select(['id', 'name', 'start', 'scope', 'enabled', 'expires_at', 'last_used_at', 'created_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  const apiKeys = rows.map(({ id, name, start, scope, enabled, expires_at, last_used_at, created_at }) => ({
    id,
    name,
    start,
    scope,
    enabled: enabled === 1,
    remaining: null,
    lastRequest: last_used_at,
    createdAt: created_at,
    expiresAt: expires_at,
  }));
  return { apiKeys };
}

export async function revokeApiKey(ctx: Context, input: { id: string }): Promise<void> {
  const { userId, id: own } = ownAccount(ctx);
  const itself = ctx.caller.kind === 'user_key' && own === input.id;
  if (!itself) requireSession(ctx);
  if (!(await deleteApiKey(ctx, { userId, id: input.id }))) throw notFound('api_key', input.id);
}

async function activeKeys(ctx: Context, userId: string): Promise<number> {
  const row = await queries(ctx)
    .selectFrom('api_keys')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('enabled', '=', 1)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now(ctx))]))
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

function requireSession({ caller }: Context): void {
  if (caller.kind === 'session') return;
  throw new ApiError('forbidden', 'only a signed-in session may do this', { reason: 'session_required' });
}

interface NewApiKey {
  // The key itself, which is not stored.
  key: string;
  row: ApiKeyRow;
}

export function createApiKey(
  ctx: Context,
  input: { userId: string; name: string; scope?: UserKeyScope; expiresAt: string | null },
): Promise<NewApiKey> {
  return transact(ctx, async (ctx) => {
    const key = mintUserKey(ctx.randomBytes);
    const row: ApiKeyRow = {
      id: `key_${randomBase62(21, ctx.randomBytes)}`,
      user_id: input.userId,
      name: input.name,
      start: startOf(key),
      key_hash: hashOf(key),
      scope: input.scope ?? 'read',
      enabled: 1,
      expires_at: input.expiresAt,
      last_used_at: null,
      created_at: now(ctx),
    };
    await ctx.tx.insertInto('api_keys').values(row).execute();
    return { key, row };
  });
}

// False when the account has no such key.
function deleteApiKey(ctx: Context, input: { userId: string; id: string }): Promise<boolean> {
  return transact(ctx, async (ctx) => {
    const deleted = await ctx.tx
      .deleteFrom('api_keys')
      .where('id', '=', input.id)
      .where('user_id', '=', input.userId)
      .returning('id')
      .executeTakeFirst();
    return deleted !== undefined;
  });
}

// A user key may revoke itself here; sessions sign out, and tokens are revoked by an operator.
export async function revokeOwnKey(ctx: Context): Promise<void> {
  const { kind, account } = ctx.caller;
  if (kind !== 'user_key' || !account?.id) {
    throw new ApiError('forbidden', 'only a user key can revoke itself', { reason: 'user_key_required' });
  }
  await deleteApiKey(ctx, { userId: account.userId, id: account.id });
}
