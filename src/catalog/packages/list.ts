import type { Context } from '../../context.ts';
import { holdsScope } from '../../contract/caller.ts';
import type { PackageEntry } from '../../contract/package.ts';
import { type Page, paginate } from '../../contract/pagination.ts';
import { idPrefixOf } from '../../domain/ids.ts';
import { type Ecosystem, normalizePackageName } from '../../domain/package-names.ts';
import { visibleSource } from '../visible.ts';
import { PACKAGE_COLUMNS, packageRows, toPackageEntry } from './entries.ts';

interface PackageListInput {
  ecosystem?: Ecosystem;
  name?: string;
  // Id or slug; what nobody has gives an empty page.
  source?: string;
  origin?: 'operator' | 'ingest';
  includeHidden?: boolean;
  page: number;
  limit: number;
}

export async function listPackages(ctx: Context, input: PackageListInput): Promise<Page<PackageEntry>> {
  const listed = listedPackages(ctx, input);
  const counted = await listed.select(({ fn }) => fn.countAll<number>().as('total')).executeTakeFirst();
  const rows = await listed
    .select(PACKAGE_COLUMNS)
    .orderBy('m.ecosystem')
    .orderBy('m.name')
    .limit(input.limit)
    .offset((input.page - 1) * input.limit)
    .execute();
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
  // Each ecosystem has its own spelling of the name.
  if (name !== undefined) {
    const spelled = (one: Ecosystem) => ({ 'm.ecosystem': one, 'm.name': normalizePackageName(one, name) });
    rows = rows.where((eb) => eb.or([eb.and(spelled('npm')), eb.and(spelled('pypi'))]));
  }
  if (source !== undefined) rows = rows.where(idPrefixOf(source) === 'src' ? 's.id' : 's.slug', '=', source);
  if (origin !== undefined) rows = rows.where('m.origin', '=', origin);
  return rows;
}
