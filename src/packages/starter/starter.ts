// The well-known packages that a new registry reads by itself: which, how far that is, and the end of it.
import { type Context, queries, transact } from '../../context.ts';
import type { PackageName } from '../../domain/ecosystems/index.ts';
import { recordAudit } from '../../entities/audit.ts';
import type { StarterPackageRow } from '../../store/schema/shown-upgrades.ts';

export interface StarterProgress {
  done: number;
  total: number;
  state: 'running' | 'stopped' | 'done';
}

const OPEN: readonly StarterPackageRow['state'][] = ['waiting', 'listing', 'steps'];

// `isNew`: the registry was filled just now. One that was stopped stays stopped; one that reached no registry tries again.
export async function beginStarter(ctx: Context, names: readonly PackageName[], isNew: boolean): Promise<void> {
  await transact(
    ctx,
    async ({ tx }) => {
      if (!isNew) {
        await tx.updateTable('starter_packages').set({ state: 'waiting' }).where('state', '=', 'unreached').execute();
        return;
      }
      for (const [place, { ecosystem, name }] of names.entries()) {
        await tx
          .insertInto('starter_packages')
          .values({ ecosystem, name, place, state: 'waiting' })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
    },
    'bookkeeping',
  );
}

// Null where there is none.
export async function starterProgress(ctx: Context): Promise<StarterProgress | null> {
  const rows = await queries(ctx)
    .selectFrom('starter_packages')
    .select((eb) => ['state', eb.fn.countAll<number>().as('count')])
    .groupBy('state')
    .execute();
  const count = (...states: readonly StarterPackageRow['state'][]) =>
    rows.reduce((sum, row) => (states.includes(row.state) ? sum + Number(row.count) : sum), 0);
  const total = rows.reduce((sum, row) => sum + Number(row.count), 0);
  if (total === 0 || count('unreached') > 0) return null;
  const state = count(...OPEN) > 0 ? 'running' : count('stopped') > 0 ? 'stopped' : 'done';
  return { done: count('done', 'failed'), total, state };
}

// What is being read is read to its end; nothing new is ordered.
export async function stopStarter(ctx: Context): Promise<StarterProgress | null> {
  return transact(ctx, async (ctx) => {
    const stopped = await ctx.tx
      .updateTable('starter_packages')
      .set({ state: 'stopped' })
      .where('state', 'in', OPEN)
      .returning('name')
      .execute();
    if (stopped.length > 0) {
      const after = { stopped: stopped.length };
      await recordAudit(ctx, { action: 'starter.stop', targetType: 'registry', targetId: 'starter', after });
    }
    return starterProgress(ctx);
  });
}
