// What callers learn about themselves: their credential, and the profile of their account.
import { type Context, queries } from '../context.ts';
import type { Profile } from '../contract/account.ts';
import type { AccountCredential, Caller } from '../contract/caller.ts';
import { ApiError } from '../contract/errors.ts';
import type { CallerDescription } from '../contract/token.ts';
import { toTokenRow } from './machine-token.ts';

// What a credential is, as its holder sees it.
export async function describeCaller(ctx: Context): Promise<CallerDescription> {
  const { caller } = ctx;
  if (caller.kind === 'root') {
    return { ...NOBODY, kind: 'root', name: caller.name, scopes: ['*'] };
  }
  if (caller.account) return describeAccount(ctx, caller, caller.account);
  const row = caller.tokenId
    ? await queries(ctx).selectFrom('api_tokens').selectAll().where('id', '=', caller.tokenId).executeTakeFirst()
    : undefined;
  if (!row) throw new ApiError('unauthorized', 'a credential is needed');
  const { id, name, scopes, principalType, principalId, expiresAt, lastUsedAt, bound } = toTokenRow(row, ctx.clock());
  const whose = { principalType, principalId, userId: null, tokenId: id };
  return { kind: 'token', name, scopes, ...whose, expiresAt, lastUsedAt, ...(bound && { bound }) };
}

const NOBODY = { principalType: null, principalId: null, userId: null, expiresAt: null, lastUsedAt: null };

async function describeAccount(
  ctx: Context,
  { kind, name }: Caller,
  { userId, id, grants, expiresAt, only }: NonNullable<Caller['account']>,
): Promise<CallerDescription> {
  const whose = { principalType: 'user' as const, principalId: userId, userId };
  if (kind === 'oauth') return { kind, name, scopes: [...grants], ...whose, expiresAt, lastUsedAt: null };
  if (kind !== 'user_key') return { kind: 'session', name, scopes: ['read'], ...whose, expiresAt, lastUsedAt: null };
  const row = await queries(ctx)
    .selectFrom('api_keys')
    .select('last_used_at')
    .where('id', '=', id ?? '')
    .executeTakeFirst();
  const lastUsedAt = row?.last_used_at ?? null;
  return { kind, name, scopes: [only ?? 'read'], ...whose, tokenId: id ?? undefined, expiresAt, lastUsedAt };
}

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

// The account behind the call. Routes of accounts have checked that there is one.
export function ownAccount({ caller }: Context): AccountCredential {
  if (caller.account) return caller.account;
  throw new ApiError('unauthorized', 'this call needs the credential of an account');
}
