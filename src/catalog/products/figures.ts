import { type Context, queries } from '../../context.ts';

interface ProductFigures {
  sourceCount: number;
  releaseCount: number;
  latestDate: string | null;
}

// For a page of products at a time, from the counters that writes maintain for each source; no release is read. Whether the product or
// its org is hidden does not matter: who may see them sees their figures as if they were not.
export async function loadProductFigures(
  ctx: Context,
  productIds: readonly string[],
): Promise<Map<string, ProductFigures>> {
  if (productIds.length === 0) return new Map();
  const rows = await queries(ctx)
    .selectFrom('sources as s')
    .leftJoin('source_figures as f', 'f.source_id', 's.id')
    .select(({ fn }) => [
      's.product_id',
      fn.countAll<number>().as('sources'),
      fn.sum<number | null>('f.release_count').as('releases'),
      fn.max('f.latest_date').as('latest'),
    ])
    .where('s.product_id', 'in', productIds)
    .where('s.deleted_at', 'is', null)
    .where('s.is_hidden', '=', 0)
    .groupBy('s.product_id')
    .execute();
  return new Map(
    rows.map((row) => [
      row.product_id ?? '',
      { sourceCount: Number(row.sources), releaseCount: Number(row.releases ?? 0), latestDate: row.latest ?? null },
    ]),
  );
}
