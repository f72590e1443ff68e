// Orgs, products and sources deleted more than 30 days ago leave the database for good. No reader has seen them since,
// so their releases may go in steps.
import { unindexReleases } from '../catalog/releases/full-text.ts';
import { relistSources } from '../catalog/releases/relist.ts';
import { type Context, transact, type WriteContext } from '../context.ts';

const KEPT_MS = 30 * 86_400_000;
const BATCH = 500;

// One step; true when there may be another.
export async function purgeDeleted(ctx: Context): Promise<boolean> {
  const before = new Date(ctx.clock().getTime() - KEPT_MS).toISOString();
  const source = await oldestSource(ctx, before);
  if (source) {
    await transact(ctx, (ctx) => purgeSource(ctx, source.id), 'derived');
    return true;
  }
  const { read } = ctx.store;
  for (const table of ['products', 'orgs'] as const) {
    const row = await read.selectFrom(table).select('id').where('deleted_at', '<', before).limit(1).executeTakeFirst();
    if (!row) continue;
    await transact(ctx, (ctx) => ctx.tx.deleteFrom(table).where('id', '=', row.id).execute(), 'bookkeeping');
    return true;
  }
  return false;
}

// Of itself or with its org, which it then leaves first.
function oldestSource(ctx: Context, before: string): Promise<{ id: string } | undefined> {
  return ctx.store.read
    .selectFrom('sources')
    .leftJoin('orgs', 'orgs.id', 'sources.org_id')
    .select('sources.id')
    .where((eb) => eb.or([eb('sources.deleted_at', '<', before), eb('orgs.deleted_at', '<', before)]))
    .limit(1)
    .executeTakeFirst();
}

async function purgeSource(ctx: WriteContext, id: string): Promise<void> {
  await unindexReleases(ctx, id);
  const batch = ctx.tx.selectFrom('releases').select('seq').where('source_id', '=', id).limit(BATCH);
  const gone = await ctx.tx.deleteFrom('releases').where('seq', 'in', batch).returning('id').execute();
  const ids = gone.map((row) => row.id);
  if (ids.length > 0) await uncover(ctx, { canonicals: ids, purged: id });
  if (ids.length < BATCH) await ctx.tx.deleteFrom('sources').where('id', '=', id).execute();
}

// A release elsewhere that stood behind one of these stands for itself again.
async function uncover(ctx: WriteContext, input: { canonicals: string[]; purged: string }): Promise<void> {
  const freed = await ctx.tx
    .updateTable('releases')
    .set({ coverage_of: null })
    .where('coverage_of', 'in', input.canonicals)
    .returning('source_id')
    .execute();
  const sources = new Set(freed.map((row) => row.source_id));
  sources.delete(input.purged);
  await relistSources(ctx, [...sources]);
}
