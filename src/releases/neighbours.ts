// The releases before and after one of the same source, in the order of their versions, and the newest of them.
import { sql } from 'kysely';
import { type Context, now, queries } from '../context.ts';
import type { ReleaseFields } from '../contract/release.ts';
import { releaseWebUrl } from '../domain/release-address.ts';
import { ONE_PLAN } from '../store/query-builder.ts';
import type { ReleaseRow } from '../store/schema/releases.ts';
import { inVersionOrder } from './versions.ts';

export type NearRelease = Pick<ReleaseFields, 'id' | 'version' | 'publishedAt' | 'webUrl'>;

interface ReleaseNeighbours {
  previous: NearRelease | null;
  next: NearRelease | null;
  // Null when it is the next one, or no newer version is known.
  newest: NearRelease | null;
}

type NearRow = Pick<ReleaseRow, 'id' | 'version' | 'published_at' | 'title' | 'title_short' | 'title_generated'> & {
  version_sort: string;
};

type Place = Pick<ReleaseRow, 'source_id' | 'package_part' | 'version_sort' | 'prerelease'>;

// A release without a version has no place among the others.
export async function releaseNeighbours(ctx: Context, place: Place): Promise<ReleaseNeighbours> {
  const { source_id, package_part, version_sort: own } = place;
  if (!own) return { previous: null, next: null, newest: null };
  const part = package_part === null ? sql`IS NULL` : sql`= ${package_part}`;
  const final = sql`n.source_id = ${source_id} AND n.package_part ${part} AND n.listing > 0 AND n.prerelease = 0
    AND n.feed_at <= ${now(ctx)}`;
  // Beside a final version only final ones are of interest.
  const near =
    place.prerelease === 0
      ? final
      : sql`n.source_id = ${source_id} AND n.package_part ${part} AND n.listing > 0 AND n.feed_at <= ${now(ctx)}`;
  const [up, down] = [inVersionOrder('n', 'ASC'), inVersionOrder('n', 'DESC')];
  const { rows } = await sql<NearRow>`
    SELECT id, version, version_sort, published_at, title, title_short, title_generated FROM releases
    WHERE id IN ((SELECT n.id FROM releases n WHERE ${near} AND n.version_sort < ${own} ORDER BY ${down} LIMIT 1),
      (SELECT n.id FROM releases n WHERE ${near} AND n.version_sort > ${own} ORDER BY ${up} LIMIT 1),
      (SELECT n.id FROM releases n WHERE ${final} AND n.version_sort > ${own} ORDER BY ${down} LIMIT 1))
    ORDER BY version_sort ${ONE_PLAN}`.execute(queries(ctx));
  const [next, last] = rows.filter(({ version_sort }) => version_sort > own);
  const before = rows.find(({ version_sort }) => version_sort < own);
  return { previous: nearRelease(ctx, before), next: nearRelease(ctx, next), newest: nearRelease(ctx, last) };
}

function nearRelease(ctx: Context, row: NearRow | undefined): NearRelease | null {
  if (!row) return null;
  const { id, version, published_at: publishedAt } = row;
  return { id, version, publishedAt, webUrl: releaseWebUrl(ctx.config.webUrl, row) };
}
