import type { Context } from '../../context.ts';
import { notFound } from '../../contract/errors.ts';
import type { PackageLookup } from '../../contract/lookup.ts';
import { type Ecosystem, normalizePackageName } from '../../domain/published-package.ts';
import { PACKAGE_COLUMNS, packageRows, toPackageEntry } from '../packages/list.ts';
import { packageViewer, seenPackages } from '../packages/viewer.ts';
import { visibleSource } from '../visible.ts';

export async function lookUpPackage(
  ctx: Context,
  input: { ecosystem: Ecosystem; name: string },
): Promise<PackageLookup> {
  const found = await packageRows(ctx)
    .select(PACKAGE_COLUMNS)
    .where('m.ecosystem', '=', input.ecosystem)
    .where('m.name', '=', normalizePackageName(input.ecosystem, input.name))
    .where(visibleSource())
    .executeTakeFirst();
  const [row] = seenPackages(ctx, await packageViewer(ctx), found ? [found] : []);
  if (!row) throw notFound('package', input.name, { parameter: 'name' });
  const { ecosystem, name, sourceId, sourceSlug, orgSlug, packagePart } = toPackageEntry(row);
  return { ecosystem, name, sourceId, sourceSlug, orgSlug, packagePart };
}
