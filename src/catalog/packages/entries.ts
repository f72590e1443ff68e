// Stored map entries with the source that each one leads to.
import { type Context, queries } from '../../context.ts';
import type { PackageEntry } from '../../contract/package.ts';
import type { PackageRow } from '../../store/schema.ts';

interface PackageRowInOrg extends PackageRow {
  source_slug: string;
  org_slug: string | null;
}

// Under the aliases that visibility conditions use: m (map entry), s, o, p.
export function packageRows(ctx: Context) {
  return queries(ctx)
    .selectFrom('packages as m')
    .innerJoin('sources as s', 's.id', 'm.source_id')
    .leftJoin('orgs as o', 'o.id', 's.org_id')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .where('s.deleted_at', 'is', null);
}

export const PACKAGE_COLUMNS = [
  'm.id',
  'm.ecosystem',
  'm.name',
  'm.source_id',
  'm.package_part',
  'm.origin',
  'm.created_at',
  'm.updated_at',
  's.slug as source_slug',
  'o.slug as org_slug',
] as const;

export function toPackageEntry(row: PackageRowInOrg): PackageEntry {
  return {
    id: row.id,
    ecosystem: row.ecosystem,
    name: row.name,
    sourceId: row.source_id,
    sourceSlug: row.source_slug,
    orgSlug: row.org_slug,
    packagePart: row.package_part,
    origin: row.origin,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}
