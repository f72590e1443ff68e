// After a start: what another token has used up does not bind the one that is configured now.
import { type Context, now, transact } from '../../context.ts';
import type { Budget } from '../adapters/contract.ts';
import { tokenFingerprint } from '../adapters/github/memory.ts';
import { lockHost, refreshHost } from '../queue/host-state.ts';

export async function forgetOldBudget(ctx: Context): Promise<boolean> {
  const { githubApiUrl, githubToken } = ctx.config.upstream;
  const { host } = new URL(githubApiUrl);
  const known = await ctx.store.read.selectFrom('hosts').select('budget').where('host', '=', host).executeTakeFirst();
  if (!known?.budget) return false;
  if ((JSON.parse(known.budget) as Budget).tokenFingerprint === tokenFingerprint(githubToken)) return false;
  await transact(
    ctx,
    async (inner) => {
      const row = await lockHost(inner.tx, host);
      const changes = { budget: null, next_request_at: null };
      await inner.tx.updateTable('hosts').set(changes).where('host', '=', host).execute();
      await refreshHost(inner.tx, { ...row, ...changes }, now(inner));
    },
    'bookkeeping',
  );
  return true;
}
