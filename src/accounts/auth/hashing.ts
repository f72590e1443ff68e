// Passwords are hashed before a transaction begins, because a hash takes longer than all of its statements together.
import { AsyncLocalStorage } from 'node:async_hooks';
import { hashPassword, verifyPassword } from 'better-auth/crypto';
import { type Context, type Passwords, queries } from '../../context.ts';

interface HashedPassword {
  password: string;
  hash: string;
}

const ready = new AsyncLocalStorage<HashedPassword>();

// The library's own function, which is slow by intent, unless the composition root was given another one.
function passwordsOf({ passwords }: Context): Passwords {
  return passwords ?? { hash: hashPassword, verify: verifyPassword };
}

export async function hashedBeforehand<T>(ctx: Context, password: string, work: () => Promise<T>): Promise<T> {
  const hash = await passwordsOf(ctx).hash(password);
  return ready.run({ password, hash }, work);
}

// What the sign-in library calls: a password that was hashed beforehand is not hashed again.
export function libraryPasswords(ctx: Context): Passwords {
  const { hash, verify } = passwordsOf(ctx);
  return {
    hash: async (password) => {
      const known = ready.getStore();
      return known?.password === password ? known.hash : hash(password);
    },
    verify,
  };
}

export async function isPasswordOf(ctx: Context, input: { userId: string; password: string }): Promise<boolean> {
  const row = await queries(ctx)
    .selectFrom('identities')
    .select('password')
    .where('user_id', '=', input.userId)
    .where('provider_id', '=', 'credential')
    .executeTakeFirst();
  return row?.password ? passwordsOf(ctx).verify({ hash: row.password, password: input.password }) : false;
}
