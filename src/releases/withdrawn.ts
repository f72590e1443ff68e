// Releases whose version was taken back at the public registry that lists it: yanked, or unpublished.
import { type Context, queries, type WriteContext } from '../context.ts';
import { noteChange } from './figures.ts';

// What a private registry says of a version is told to nobody here.
export async function withdrawnAtRegistry(ctx: Context, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await queries(ctx)
    .selectFrom('package_versions as v')
    .innerJoin('package_states as p', (join) =>
      join.onRef('p.ecosystem', '=', 'v.ecosystem').onRef('p.name', '=', 'v.name'),
    )
    .select('v.release_id')
    .where(ctx.store.dialect.amongIds('v.release_id', ids))
    .where('v.withdrawn', '=', 1)
    .where('p.registry', 'is', null)
    .execute();
  return new Set(rows.flatMap(({ release_id }) => release_id ?? []));
}

// A listing that takes versions back, or gives them back, changes what feeds show of their releases.
export async function noteWithdrawals(ctx: WriteContext, releaseIds: readonly string[]): Promise<void> {
  if (releaseIds.length === 0) return;
  const sources = await ctx.tx
    .selectFrom('releases')
    .select('source_id')
    .distinct()
    .where(ctx.store.dialect.amongIds('id', releaseIds))
    .execute();
  for (const { source_id } of sources) await noteChange(ctx, source_id);
}
