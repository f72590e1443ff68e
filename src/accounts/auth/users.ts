// Accounts as the operator and the account's owner handle them, and how the owner can sign in.
import { type Context, now, queries, transact } from '../../context.ts';
import type { UserRow } from '../../store/schema/accounts.ts';
import { ownAccount } from '../describe-caller.ts';

export async function findUserByEmail(ctx: Context, email: string): Promise<UserRow | null> {
  const row = await queries(ctx)
    .selectFrom('users')
    .selectAll()
    .where('email', '=', email.trim().toLowerCase())
    .executeTakeFirst();
  return row ?? null;
}

export async function findUser(ctx: Context, id: string): Promise<UserRow | null> {
  const row = await queries(ctx).selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
  return row ?? null;
}

export function listUsers(ctx: Context): Promise<UserRow[]> {
  return queries(ctx).selectFrom('users').selectAll().orderBy('created_at').orderBy('id').execute();
}

// From the next request on, no credential of a disabled account is accepted, and its webhooks are silent.
export function setUserDisabled(ctx: Context, input: { userId: string; disabled: boolean }): Promise<void> {
  return transact(ctx, async (ctx) => {
    const at = now(ctx);
    await ctx.tx
      .updateTable('users')
      .set({ disabled_at: input.disabled ? at : null, updated_at: at })
      .where('id', '=', input.userId)
      .execute();
    await ctx.ports.webhooks.pauseOwner(ctx, { userId: input.userId, paused: input.disabled });
  });
}

// All rows of the account refer to this one and are deleted with it.
export function deleteUser(ctx: Context, input: { userId: string }): Promise<void> {
  return transact(ctx, async (ctx) => {
    await ctx.tx.deleteFrom('verifications').where('value', '=', input.userId).execute();
    await ctx.tx.deleteFrom('users').where('id', '=', input.userId).execute();
  });
}

interface SignInMethods {
  hasPassword: boolean;
  // Names of other services, such as `github`.
  providers: string[];
}

const FRESH_MS = 300_000;

// Whether the owner of the session signed in a moment ago.
export function isFreshSignIn(ctx: Context): boolean {
  return ctx.clock().getTime() - Date.parse(ownAccount(ctx).signedInAt ?? '') <= FRESH_MS;
}

export async function signInMethods(ctx: Context): Promise<SignInMethods> {
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
