// Sources none of whose releases has a date, so that no list by time shows them: those with most releases first.
import { sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import { visibleSource } from '../visible.ts';

export interface UndatedSource {
  name: string;
  slug: string;
  orgSlug: string | null;
  latestVersion: string | null;
  releaseCount: number;
}

export async function undatedSources(ctx: Context, limit: number): Promise<UndatedSource[]> {
  const rows = await queries(ctx)
    .selectFrom('source_figures as f')
    // A cross join preserves the order: the index has the longest ones first.
    .crossJoin('sources as s')
    .leftJoin('orgs as o', 'o.id', 's.org_id')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .select(['s.name', 's.slug', 'o.slug as org_slug', 'f.latest_version', 'f.release_count'])
    .whereRef('s.id', '=', 'f.source_id')
    .where(sql<boolean>`f.dated_count = 0 AND f.release_count > 0`)
    .where(visibleSource())
    .orderBy('f.release_count', 'desc')
    .orderBy('s.name_key')
    .limit(limit)
    .execute();
  return rows.map(({ name, slug, org_slug, latest_version, release_count }) => ({
    name,
    slug,
    orgSlug: org_slug,
    latestVersion: latest_version,
    releaseCount: release_count,
  }));
}
