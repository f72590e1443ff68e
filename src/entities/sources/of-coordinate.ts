import { type Context, queries } from '../../context.ts';
import { findSource, type SourceInOrg } from '../resolve.ts';

// Live sources of a repository, visible or not: the primary one first, then the oldest. A former name counts when no
// repository has it today. The coordinate must be in lower case, as it is stored.
export async function sourcesOfCoordinate(ctx: Context, coordinate: string): Promise<SourceInOrg[]> {
  const current = await sourceIds(ctx).where('s.github_coordinate', '=', coordinate).execute();
  const rows = current.length > 0 ? current : await formerIds(ctx, coordinate);
  const found = await Promise.all(rows.map((row) => findSource(ctx, { src: row.id })));
  return found.filter((one) => one !== null);
}

function formerIds(ctx: Context, coordinate: string): Promise<{ id: string }[]> {
  return sourceIds(ctx)
    .innerJoin('former_coordinates as f', 'f.source_id', 's.id')
    .where('f.coordinate', '=', coordinate)
    .execute();
}

function sourceIds(ctx: Context) {
  return queries(ctx)
    .selectFrom('sources as s')
    .select('s.id')
    .where('s.deleted_at', 'is', null)
    .orderBy('s.is_primary', 'desc')
    .orderBy('s.created_at')
    .orderBy('s.id');
}
