import { type Context, queries } from '../../context.ts';
import { holdsScope } from '../../contract/caller.ts';
import type { PackageEntry } from '../../contract/package.ts';
import { type Page, paginate } from '../../contract/pagination.ts';
import { ECOSYSTEMS, type Ecosystem, normalizePackageName } from '../../domain/ecosystems/index.ts';
import { idPrefixOf } from '../../domain/ids.ts';
import type { PackageRow } from '../../store/schema/repositories.ts';
import { orgAndSource } from '../resolve.ts';
import { visibleSource } from '../visible.ts';
import { packageViewer, seenPackage, seenPackages } from './viewer.ts';

interface PackageListInput {
  ecosystem?: Ecosystem;
  name?: string;
  // An id, a slug or `org/source`; an unknown one gives an empty page.
  source?: string;
  origin?: 'operator' | 'ingest';
  includeHidden?: boolean;
  page: number;
  limit: number;
}

export async function listPackages(ctx: Context, input: PackageListInput): Promise<Page<PackageEntry>> {
  const viewer = await packageViewer(ctx);
  const listed = listedPackages(ctx, input).where(seenPackage(viewer.hidden, 'm'));
  const counted = await listed.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirst();
  const rows = await listed
    .select(PACKAGE_COLUMNS)
    .orderBy('m.ecosystem')
    .orderBy('m.name')
    .limit(input.limit)
    .offset((input.page - 1) * input.limit)
    .execute();
  seenPackages(ctx, viewer, rows);
  return {
    items: rows.map(toPackageEntry),
    pagination: paginate({ ...input, returned: rows.length, total: Number(counted?.total ?? 0) }),
  };
}

function listedPackages(ctx: Context, input: PackageListInput) {
  const { ecosystem, name, source, origin } = input;
  let rows = packageRows(ctx);
  if (!input.includeHidden || !holdsScope(ctx.caller, 'admin')) rows = rows.where(visibleSource());
  if (ecosystem !== undefined) rows = rows.where('m.ecosystem', '=', ecosystem);
  // Each ecosystem normalizes names in its own way.
  if (name !== undefined) {
    const spelled = (one: Ecosystem) => ({ 'm.ecosystem': one, 'm.name': normalizePackageName(one, name) });
    rows = rows.where((eb) => eb.or(ECOSYSTEMS.map((one) => eb.and(spelled(one)))));
  }
  if (source !== undefined) {
    const { org, source: slug } = orgAndSource(source) ?? { org: undefined, source };
    rows = rows.where(idPrefixOf(slug) === 'src' ? 's.id' : 's.slug', '=', slug);
    if (org !== undefined) rows = rows.where('o.slug', '=', org);
  }
  if (origin !== undefined) rows = rows.where('m.origin', '=', origin);
  return rows;
}

// Stored map entries with the source that each one belongs to.
interface PackageRowInOrg extends PackageRow {
  source_slug: string;
  org_slug: string | null;
}

// Uses the aliases of the visibility conditions: m (map entry), s, o, p.
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
