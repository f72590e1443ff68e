// Moves signing keys to the current secret of the service.
import type { Reencryption } from '../accounts/following/reencrypt-feed-tokens.ts';
import { reseal } from '../accounts/sealing.ts';
import { type Context, transact, type WriteContext } from '../context.ts';
import { type KeyedRow, keyPurpose } from './keys.ts';

const BATCH = 500;

export async function reencryptKeys(ctx: Context): Promise<Reencryption> {
  const result = { moved: 0, unreadable: 0 };
  let last = '';
  for (;;) {
    const ids = await ctx.store.read
      .selectFrom('webhook_subscriptions')
      .select('id')
      .where('id', '>', last)
      .where('signing_key', 'is not', null)
      .orderBy('id')
      .limit(BATCH)
      .execute();
    for (const { id } of ids) {
      const { moved, unreadable } = await transact(ctx, (inner) => reencryptOne(inner, id), 'bookkeeping');
      result.moved += moved;
      result.unreadable += unreadable;
    }
    if (ids.length < BATCH) return result;
    last = ids.at(-1)?.id ?? '';
  }
}

// Under the row's lock, so that a rotation meanwhile is not undone.
async function reencryptOne(ctx: WriteContext, id: string): Promise<Reencryption> {
  const row = await ctx.tx
    .selectFrom('webhook_subscriptions')
    .select(['id', 'secret_version', 'signing_key', 'previous_key', 'previous_key_expires_at'])
    .where('id', '=', id)
    .modifyEnd(ctx.store.dialect.forUpdate)
    .executeTakeFirst();
  if (!row) return { moved: 0, unreadable: 0 };
  const keys = storedKeys(row).map((key) => ({ ...key, moved: reseal(ctx, keyPurpose(key), key.sealed) }));
  const changed = keys.filter(({ sealed, moved }) => moved !== null && moved !== sealed);
  const values = Object.fromEntries(changed.map(({ column, moved }) => [column, moved]));
  if (changed.length > 0) {
    await ctx.tx.updateTable('webhook_subscriptions').set(values).where('id', '=', id).execute();
  }
  return { moved: changed.length, unreadable: keys.filter(({ moved }) => moved === null).length };
}

function storedKeys({ id, secret_version, signing_key, previous_key }: KeyedRow) {
  return [
    { id, column: 'signing_key', version: secret_version, sealed: signing_key },
    { id, column: 'previous_key', version: secret_version - 1, sealed: previous_key },
  ].flatMap(({ sealed, ...key }) => (sealed === null ? [] : [{ ...key, sealed }]));
}
