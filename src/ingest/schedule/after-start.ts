// After a start: a quota that another token has used up does not limit the configured one.
import { type Context, now, transact } from '../../context.ts';
import { factsOf, SOURCE_TYPES } from '../../domain/source-types.ts';
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
    async (ctx) => {
      const row = await lockHost(ctx.tx, host);
      const changes = { budget: null, next_request_at: null, wait_reason: null };
      await ctx.tx.updateTable('hosts').set(changes).where('host', '=', host).execute();
      await refreshHost(ctx.tx, { ...row, ...changes }, now(ctx));
    },
    'bookkeeping',
  );
  return true;
}

const WITH_MODEL = SOURCE_TYPES.filter((type) => factsOf(type).needsModel);

// After a start with a model: sources that waited for one are due at once.
export async function wakeAgents(ctx: Context): Promise<void> {
  await transact(
    ctx,
    ({ tx }) =>
      tx
        .updateTable('sources')
        .set({ next_fetch_after: null })
        .where('type', 'in', WITH_MODEL)
        .where('last_outcome', '=', 'model_not_configured')
        .where('next_fetch_after', 'is not', null)
        .execute(),
    'derived',
  );
}
