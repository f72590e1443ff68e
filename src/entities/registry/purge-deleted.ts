// Purges orgs, products and sources that were deleted more than 30 days ago.
import { type Context, transact, type WriteContext } from '../../context.ts';
import { eraseSources } from '../sources/delete.ts';

const KEPT_MS = 30 * 86_400_000;

// Purges one entity; returns true when there may be another.
export async function purgeDeleted(ctx: Context): Promise<boolean> {
  const before = new Date(ctx.clock().getTime() - KEPT_MS).toISOString();
  const source = await oldestSource(ctx, before);
  if (source) {
    await transact(ctx, (ctx) => eraseSources(ctx, [source.id]), 'derived');
    return true;
  }
  const { read } = ctx.store;
  for (const table of ['products', 'orgs'] as const) {
    const row = await read.selectFrom(table).select('id').where('deleted_at', '<', before).limit(1).executeTakeFirst();
    if (!row) continue;
    await transact(ctx, (ctx) => erase(ctx, table, row.id), 'bookkeeping');
    return true;
  }
  return false;
}

async function erase({ tx }: WriteContext, table: 'products' | 'orgs', id: string): Promise<void> {
  await tx.deleteFrom(table).where('id', '=', id).execute();
  // The state of its manifest is in the settings table, which has no foreign key.
  if (table === 'orgs') await tx.deleteFrom('settings').where('key', '=', `manifest:${id}`).execute();
}

// The source was deleted alone or with its org; it is purged before the org.
function oldestSource(ctx: Context, before: string): Promise<{ id: string } | undefined> {
  return ctx.store.read
    .selectFrom('sources')
    .leftJoin('orgs', 'orgs.id', 'sources.org_id')
    .select('sources.id')
    .where((eb) => eb.or([eb('sources.deleted_at', '<', before), eb('orgs.deleted_at', '<', before)]))
    .limit(1)
    .executeTakeFirst();
}
