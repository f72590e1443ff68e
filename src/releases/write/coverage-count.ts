import { sql } from 'kysely';
import type { WriteContext } from '../../context.ts';

// Updates coverageCount of a release: the unsuppressed releases of visible sources that have it as their canonical one.
export async function refreshCoverageCounts(
  ctx: WriteContext,
  canonicals: { ids: readonly string[] } | { coveredIn: string },
): Promise<void> {
  const ids = 'ids' in canonicals ? [...canonicals.ids] : await canonicalsOf(ctx, canonicals.coveredIn);
  for (const id of new Set(ids)) {
    await ctx.tx
      .updateTable('releases')
      .set({
        coverage_count: sql<number>`(SELECT COUNT(*) FROM releases c WHERE c.coverage_of = ${id} AND c.listing = 1)`,
      })
      .where('id', '=', id)
      .execute();
  }
}

async function canonicalsOf(ctx: WriteContext, sourceId: string): Promise<string[]> {
  const rows = await ctx.tx
    .selectFrom('releases')
    .select('coverage_of')
    .distinct()
    .where('source_id', '=', sourceId)
    .where('coverage_of', 'is not', null)
    .execute();
  return rows.flatMap((row) => row.coverage_of ?? []);
}
