// Sources none of whose releases has a date, so that no list by time shows them: those with most releases first.
import type { Context } from '../../context.ts';
import { shownSources } from './source-activity.ts';

export interface UndatedSource {
  name: string;
  slug: string;
  orgSlug: string | null;
  latestVersion: string | null;
  releaseCount: number;
}

export async function undatedSources(ctx: Context, limit: number): Promise<UndatedSource[]> {
  const rows = await shownSources(ctx)
    .innerJoin('source_figures as f', 'f.source_id', 's.id')
    .leftJoin('orgs as o', 'o.id', 's.org_id')
    .select(['s.name', 's.slug', 'o.slug as org_slug', 'f.latest_version', 'f.release_count'])
    .where('f.dated_count', '=', 0)
    .where('f.release_count', '>', 0)
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
