import { type Context, queries } from '../../context.ts';

// Counts by source and day, from the table that writes maintain; no release is read.
export async function dayCountsBySource(
  ctx: Context,
  input: { sourceIds: readonly string[]; from: string; to?: string },
): Promise<Map<string, Map<string, number>>> {
  const found = new Map(input.sourceIds.map((id) => [id, new Map<string, number>()]));
  if (found.size === 0) return found;
  const rows = await queries(ctx)
    .selectFrom('release_days')
    .selectAll()
    .where('source_id', 'in', [...found.keys()])
    .where('day', '>=', input.from)
    .where('day', '<=', input.to ?? '9999-12-31')
    .orderBy('day')
    .execute();
  for (const row of rows) found.get(row.source_id)?.set(row.day, row.count);
  return found;
}

export function addUp(counts: Iterable<ReadonlyMap<string, number>>): Map<string, number> {
  const total = new Map<string, number>();
  for (const one of counts) {
    for (const [day, count] of one) total.set(day, (total.get(day) ?? 0) + count);
  }
  return total;
}
