// The packages whose version a release tells about.
import { type Context, queries } from '../../context.ts';
import type { PackageName } from '../../domain/upgrade/asked.ts';
import { visiblePackages } from '../whats-changed/listings.ts';

const MOST = 3;

// Those of its own part of the source; none when a source has many that share it, of which no one can be meant.
export async function packagesOfRelease(ctx: Context, releaseId: string): Promise<PackageName[]> {
  const rows = await queries(ctx)
    .selectFrom('releases as r')
    .innerJoin('packages as m', 'm.source_id', 'r.source_id')
    .select(['m.ecosystem', 'm.name'])
    .where('r.id', '=', releaseId)
    .where((eb) =>
      eb.or([
        eb('m.package_part', '=', eb.ref('r.package_part')),
        eb('m.name', '=', eb.ref('r.package_part')),
        eb.and([eb('m.package_part', 'is', null), eb('r.package_part', 'is', null)]),
      ]),
    )
    .orderBy('m.ecosystem')
    .orderBy('m.name')
    .limit(MOST + 1)
    .execute();
  return rows.length > MOST ? [] : visiblePackages(ctx, rows);
}
