// Changes of an account's e-mail address. The former address gets a link that brings it back for a week and signs
// everybody out, so that whoever took an account over does not keep it.
import type { Config } from '../../config.ts';
import { type Context, now, queries, transact, type WriteContext } from '../../context.ts';
import { hashOf, randomBase62 } from '../../domain/secret-text.ts';
import type { UserRow } from '../../store/schema/accounts.ts';
import { storedForm } from './grants.ts';
import { newAccountId } from './ids.ts';
import { forgetDevices } from './known-devices.ts';
import { deleteUser } from './users.ts';

const UNDONE_WITHIN_MS = 7 * 86_400_000;
const TOKEN_LENGTH = 32;
// As long as the link to the new address works.
const CONFIRMED_WITHIN_MS = 3_600_000;

export function undoLink({ webUrl }: Pick<Config, 'webUrl'>, token: string): string {
  return `${webUrl}/account/undo-email?token=${encodeURIComponent(token)}`;
}

// Returns the token of the link for the former address.
export async function noteAddressChange(ctx: Context, { id, email }: Pick<UserRow, 'id' | 'email'>): Promise<string> {
  const token = randomBase62(TOKEN_LENGTH, ctx.randomBytes);
  const change = {
    token_hash: hashOf(token),
    user_id: id,
    former_email: email,
    created_at: now(ctx),
    expires_at: new Date(ctx.clock().getTime() + UNDONE_WITHIN_MS).toISOString(),
  };
  await transact(ctx, ({ tx }) => tx.insertInto('address_changes').values(change).execute());
  return token;
}

// The address that a link would bring back; null when the link does not work, or not any more.
export async function formerAddress(ctx: Context, token: string): Promise<string | null> {
  const change = await findChange(ctx, token);
  return change?.former_email ?? null;
}

// `taken`: another account has the address now. Links of later changes end with it; an earlier one still works, so that
// the first owner of the address has the last word.
export function undoAddressChange(
  ctx: Context,
  token: string,
): Promise<{ userId: string; email: string } | 'taken' | null> {
  return transact(ctx, async (ctx) => {
    const change = await findChange(ctx, token);
    if (!change) return null;
    const { user_id: userId, former_email: email, created_at: changedAt } = change;
    if (!(await freeAddress(ctx, { email, userId, since: changedAt }))) return 'taken';
    await ctx.tx
      .updateTable('users')
      // Whoever opened the link reads the mail of this address.
      .set({ email, email_verified: 1, updated_at: now(ctx) })
      .where('id', '=', userId)
      .execute();
    await ctx.tx.deleteFrom('sessions').where('user_id', '=', userId).execute();
    await ctx.tx.deleteFrom('device_codes').where('user_id', '=', userId).execute();
    await forgetDevices(ctx, { userId });
    // Links to a new password and to another address, which whoever changed it may hold.
    await ctx.tx.deleteFrom('verifications').where('value', '=', userId).execute();
    await ctx.tx
      .deleteFrom('address_changes')
      .where('user_id', '=', userId)
      .where('created_at', '>=', changedAt)
      .execute();
    return { userId, email };
  });
}

async function findChange(ctx: Context, token: string) {
  return queries(ctx)
    .selectFrom('address_changes')
    .selectAll()
    .where('token_hash', '=', hashOf(token))
    .where('expires_at', '>', now(ctx))
    .executeTakeFirst();
}

// Anybody can sign up with an address, so an account that was made for it since the change and never used gives way.
async function freeAddress(
  ctx: WriteContext,
  { email, userId, since }: { email: string; userId: string; since: string },
): Promise<boolean> {
  const other = await ctx.tx
    .selectFrom('users')
    .select(['id', 'email_verified', 'created_at'])
    .where('email', '=', email)
    .where('id', '!=', userId)
    .executeTakeFirst();
  if (!other) return true;
  const session = await ctx.tx.selectFrom('sessions').select('id').where('user_id', '=', other.id).executeTakeFirst();
  if (session || other.email_verified === 1 || other.created_at < since) return false;
  await deleteUser(ctx, { userId: other.id });
  return true;
}

// A change that waits for its link to be opened. The link itself is signed and stored nowhere; without this row it
// could be used again after the change was undone.
export async function awaitAddress(ctx: Context, change: { userId: string; email: string }): Promise<void> {
  const at = now(ctx);
  const row = {
    id: newAccountId('verification', ctx.randomBytes),
    identifier: awaitedIdentifier(change),
    value: change.userId,
    created_at: at,
    updated_at: at,
    expires_at: new Date(ctx.clock().getTime() + CONFIRMED_WITHIN_MS).toISOString(),
  };
  await transact(ctx, ({ tx }) => tx.insertInto('verifications').values(row).execute(), 'bookkeeping');
}

export async function isAwaited(ctx: Context, change: { userId: string; email: string }): Promise<boolean> {
  const row = await queries(ctx)
    .selectFrom('verifications')
    .select('id')
    .where('identifier', '=', awaitedIdentifier(change))
    .where('expires_at', '>', now(ctx))
    .executeTakeFirst();
  return row !== undefined;
}

export async function endAwaiting(ctx: Context, change: { userId: string; email: string }): Promise<void> {
  await transact(
    ctx,
    ({ tx }) => tx.deleteFrom('verifications').where('identifier', '=', awaitedIdentifier(change)).execute(),
    'bookkeeping',
  );
}

function awaitedIdentifier({ userId, email }: { userId: string; email: string }): string {
  return storedForm(`change-email:${userId}:${email.toLowerCase()}`);
}
