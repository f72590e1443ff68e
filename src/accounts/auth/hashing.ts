// Passwords are hashed before a transaction begins, because a hash takes longer than all of its statements together.
import { AsyncLocalStorage } from 'node:async_hooks';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { type Context, queries } from '../../context.ts';

interface HashedPassword {
  password: string;
  hash: string;
}

const ready = new AsyncLocalStorage<HashedPassword>();

export async function hashedBeforehand<T>(password: string, work: () => Promise<T>): Promise<T> {
  const hash = await hashPassword(password);
  return ready.run({ password, hash }, work);
}

export async function hashOnce(password: string): Promise<string> {
  const known = ready.getStore();
  return known?.password === password ? known.hash : hashPassword(password);
}

export async function isPasswordOf(ctx: Context, input: { userId: string; password: string }): Promise<boolean> {
  const row = await queries(ctx)
    .selectFrom('identities')
    .select('password')
    .where('user_id', '=', input.userId)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst();
  return row?.password ? verifyPassword({ hash: row.password, password: input.password }) : false;
}
