// The archives of the newest versions of packages, as their registries list them.
import { type Context, queries } from '../../context.ts';
import type { PackageName } from '../../domain/upgrade/requested-package.ts';

export interface ListedArchive extends PackageName {
  // The scope of the private registry that lists it; null for the public one.
  registry: string | null;
  // As its registry spells it.
  spelling: string;
  version: string;
  url: string;
  integrity: string | null;
}

// Of the packages that the package map gives to a source. What a private registry lists stays out: the files of a source are
// shown to everybody who sees the source.
export async function archivesOfSource(ctx: Context, sourceId: string): Promise<ListedArchive[]> {
  return (await newestArchives(ctx, sourceId)).filter(({ registry }) => registry === null);
}

// Of the one package whose page is the source; null while no listing of it is known.
export async function archiveOfPage(ctx: Context, sourceId: string): Promise<ListedArchive | null> {
  const [archive] = await newestArchives(ctx, sourceId);
  return archive ?? null;
}

async function newestArchives(ctx: Context, sourceId: string): Promise<ListedArchive[]> {
  const rows = await queries(ctx)
    .selectFrom('packages as m')
    .innerJoin('package_states as s', (join) =>
      join.onRef('s.ecosystem', '=', 'm.ecosystem').onRef('s.name', '=', 'm.name'),
    )
    .innerJoin('package_versions as v', (join) =>
      join.onRef('v.ecosystem', '=', 's.ecosystem').onRef('v.name', '=', 's.name').onRef('v.version', '=', 's.latest'),
    )
    .select(['m.ecosystem', 'm.name', 's.spelling', 's.registry', 'v.version', 'v.tarball_url as url', 'v.integrity'])
    .where('m.source_id', '=', sourceId)
    .where('v.withdrawn', '=', 0)
    .orderBy('m.ecosystem')
    .orderBy('m.name')
    .execute();
  return rows.flatMap(({ url, ...row }) => (url === null ? [] : [{ ...row, url }]));
}
