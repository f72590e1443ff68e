// The org, product and figures of sources, read with one statement for many.
import { type Context, queries } from '../../context.ts';
import type { SourceRow } from '../../store/schema/sources.ts';

export interface SourceSurroundings {
  org: { id: string; slug: string; name: string } | null;
  product: { id: string; slug: string; name: string } | null;
  figures: {
    release_count: number;
    latest_version: string | null;
    latest_date: string | null;
    latest_added_at: string | null;
  };
  hasChangelogFile: boolean;
}

export const NO_SURROUNDINGS: SourceSurroundings = {
  org: null,
  product: null,
  figures: { release_count: 0, latest_version: null, latest_date: null, latest_added_at: null },
  hasChangelogFile: false,
};

export async function loadSurroundings(
  ctx: Context,
  rows: readonly SourceRow[],
): Promise<Map<string, SourceSurroundings>> {
  if (rows.length === 0) return new Map();
  const ids = rows.map((row) => row.id);
  const found = await withSurroundings(ctx, ids).select('s.id').execute();
  return new Map(found.map((row) => [row.id, surroundingsOf(row)]));
}

export function withSurroundings(ctx: Context, ids: readonly string[]) {
  return queries(ctx)
    .selectFrom('sources as s')
    .leftJoin('orgs as o', 'o.id', 's.org_id')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .leftJoin('source_figures as f', 'f.source_id', 's.id')
    .leftJoin('changelog_files as c', (join) => join.onRef('c.source_id', '=', 's.id').on('c.canonical', '=', 1))
    .select([
      'o.id as orgId',
      'o.slug as orgSlug',
      'o.name as orgName',
      'p.id as productId',
      'p.slug as productSlug',
      'p.name as productName',
      'f.release_count',
      'f.latest_version',
      'f.latest_date',
      'f.latest_added_at',
      'c.id as fileId',
    ])
    .where('s.id', 'in', ids);
}

type SurroundingRow = Awaited<ReturnType<ReturnType<typeof withSurroundings>['execute']>>[number];

export function surroundingsOf(row: SurroundingRow): SourceSurroundings {
  const { orgId, productId, release_count, latest_version, latest_date, latest_added_at } = row;
  return {
    org: orgId ? { id: orgId, slug: row.orgSlug ?? '', name: row.orgName ?? '' } : null,
    product: productId ? { id: productId, slug: row.productSlug ?? '', name: row.productName ?? '' } : null,
    figures: { release_count: release_count ?? 0, latest_version, latest_date, latest_added_at },
    hasChangelogFile: row.fileId !== null,
  };
}
