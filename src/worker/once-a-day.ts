import { type Context, now, transact } from '../context.ts';
import { findSetting, writeSetting } from '../store/settings.ts';

const DAY_MS = 86_400_000;

// True for one process a day: the claim is a row that only one transaction can move.
export async function claimDay(ctx: Context, task: string): Promise<boolean> {
  const key = `daily:${task}`;
  const at = now(ctx);
  return transact(
    ctx,
    async ({ tx, store }) => {
      await store.dialect.lock(tx, key);
      const last = await findSetting(tx, key);
      if (last && Date.parse(at) - Date.parse(last.updated_at) < DAY_MS) return false;
      await writeSetting(tx, { key, value: '{}', updated_at: at });
      return true;
    },
    'bookkeeping',
  );
}
