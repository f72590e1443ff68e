// The lease of the worker that embeds: one worker at a time. When it is killed, another takes over after the lease has
// expired.
import { type Context, transact } from '../../../context.ts';
import { takeNamedLease } from '../../../store/lease.ts';

const KEY = 'vectors:worker';
const HELD_MS = 30_000;
const RENEWED_BEFORE_MS = 15_000;

interface EmbeddingLease {
  // Takes or renews the lease; false while another worker holds it.
  hold(ctx: Context): Promise<boolean>;
}

export function createLease(): EmbeddingLease {
  let name: string | null = null;
  let until = 0;
  return {
    async hold(ctx) {
      const present = ctx.clock().getTime();
      if (until - present > RENEWED_BEFORE_MS) return true;
      name ??= Buffer.from(ctx.randomBytes(12)).toString('hex');
      const lease = { name: KEY, holder: name, at: new Date(present).toISOString(), ms: HELD_MS };
      const taken = await transact(ctx, ({ tx, store }) => takeNamedLease(store, tx, lease), 'bookkeeping');
      until = taken ? present + HELD_MS : 0;
      return taken;
    },
  };
}
