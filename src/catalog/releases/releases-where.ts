import type { WriteContext } from '../../context.ts';
import type { ReleaseRow } from '../../store/schema.ts';

/** Releases of a source, hidden and suppressed ones too, by one of the columns that name them. */
export async function releasesWhere(
  ctx: WriteContext,
  sourceId: string,
  column: 'id' | 'identity_key' | 'guid',
  values: readonly string[],
): Promise<ReleaseRow[]> {
  if (values.length === 0) return [];
  return ctx.tx
    .selectFrom('releases')
    .selectAll()
    .where('source_id', '=', sourceId)
    .where(column, 'in', values)
    .execute();
}
