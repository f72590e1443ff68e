// The imported advisories on packages, and their published versions.
import { type Context, queries } from '../../context.ts';
import type { PublishedVersion } from '../../domain/advisories/clearing-version.ts';
import type { Advisory } from '../../domain/advisories/osv-record.ts';
import { type PackageName, packageKey } from '../../domain/ecosystems/index.ts';
import { parseJson } from '../../store/json-text.ts';

export interface PackageAdvisories {
  importedAt: string;
  advisories: readonly Advisory[];
}

// By the key of the package; packages of an ecosystem without imported advisories are absent.
export async function advisoriesOfPackages(
  ctx: Context,
  names: readonly PackageName[],
): Promise<Map<string, PackageAdvisories>> {
  const found = new Map<string, PackageAdvisories>();
  if (names.length === 0) return found;
  const sets = await queries(ctx)
    .selectFrom('advisory_sets')
    .select(['ecosystem', 'id', 'imported_at'])
    .where('current', '=', 1)
    .execute();
  for (const { ecosystem, id, imported_at: importedAt } of sets) {
    const asked = [...new Set(names.filter((one) => one.ecosystem === ecosystem).map(({ name }) => name))];
    if (asked.length === 0) continue;
    const rows = await queries(ctx)
      .selectFrom('advisories')
      .select(['name', 'record'])
      .where('set_id', '=', id)
      .where('ecosystem', '=', ecosystem)
      .where('name', 'in', asked)
      .orderBy('advisory_id')
      .execute();
    const byName = Map.groupBy(rows, ({ name }) => name);
    for (const name of asked) {
      const advisories = (byName.get(name) ?? []).map(({ record }) => parseJson(record));
      found.set(packageKey({ ecosystem, name }), { importedAt, advisories });
    }
  }
  return found;
}

export async function publishedOfPackage(ctx: Context, { ecosystem, name }: PackageName): Promise<PublishedVersion[]> {
  const rows = await queries(ctx)
    .selectFrom('package_versions')
    .select(['version', 'published_at', 'withdrawn'])
    .where('ecosystem', '=', ecosystem)
    .where('name', '=', name)
    .execute();
  return rows.map(({ version, published_at, withdrawn }) => {
    return { version, publishedAt: published_at, isWithdrawn: withdrawn === 1 };
  });
}
