import { type Context, now, transact } from '../context.ts';

const DAY_MS = 86_400_000;

// True for one process a day: the claim is a row that only one transaction can move.
export async function claimDay(ctx: Context, task: string): Promise<boolean> {
  const key = `daily:${task}`;
  const at = now(ctx);
  return transact(
    ctx,
    async ({ tx, store }) => {
      await store.dialect.lock(tx, key);
      const last = await tx.selectFrom('settings').select('updated_at').where('key', '=', key).executeTakeFirst();
      if (last && Date.parse(at) - Date.parse(last.updated_at) < DAY_MS) return false;
      await tx
        .insertInto('settings')
        .values({ key, value: '{}', updated_at: at })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ updated_at: at }))
        .execute();
      return true;
    },
    'bookkeeping',
  );
}
