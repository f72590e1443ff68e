// Who embeds: one worker of all, for as long as it goes on. One that was killed is succeeded when its time is over.
import { type Context, transact } from '../../../context.ts';
import { findSetting, writeSetting } from '../../../store/settings.ts';

const KEY = 'vectors:worker';
const HELD_MS = 30_000;
const RENEWED_BEFORE_MS = 15_000;

interface Lease {
  /** Takes or keeps the turn; false while another worker has it. */
  hold(ctx: Context): Promise<boolean>;
}

export function createLease(): Lease {
  let name: string | null = null;
  let until = 0;
  return {
    async hold(ctx) {
      const present = ctx.clock().getTime();
      if (until - present > RENEWED_BEFORE_MS) return true;
      name ??= Buffer.from(ctx.randomBytes(12)).toString('hex');
      const taken = await take(ctx, name, present);
      until = taken ? present + HELD_MS : 0;
      return taken;
    },
  };
}

async function take(ctx: Context, name: string, present: number): Promise<boolean> {
  return transact(
    ctx,
    async ({ tx, store }) => {
      await store.dialect.lock(tx, KEY);
      const row = await findSetting(tx, KEY);
      const over = !row || present - Date.parse(row.updated_at) >= HELD_MS;
      if (!over && row.value !== name) return false;
      await writeSetting(tx, { key: KEY, value: name, updated_at: new Date(present).toISOString() });
      return true;
    },
    'bookkeeping',
  );
}
