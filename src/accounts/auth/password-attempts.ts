// Counts wrong passwords for one e-mail address from one network address. An attempt is counted before the password is
// checked, so that many concurrent attempts do not pass together; a correct one is subtracted again.
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { storedForm } from './grants.ts';

// A digest, because what is typed into an e-mail field may be anything of any length.
export function attemptKey(email: string, address: string): string {
  return `${storedForm(email.trim().toLowerCase())} ${address}`;
}

export async function takeBack(ctx: Context, key: string): Promise<void> {
  await ctx.store.transaction(
    (tx) =>
      tx.updateTable('limits').set({ count: sql`count - 1` }).where('key', '=', key).where('count', '>', 0).execute(),
    'bookkeeping',
  );
}
