// The releases before and after one of the same source, in the order of their versions, and the newest of them.
import { type RawBuilder, sql } from 'kysely';
import { type Context, now, queries } from '../../context.ts';
import type { ReleaseFields } from '../../contract/release.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import { releaseWebUrl } from './release-fields.ts';

export type NearRelease = Pick<ReleaseFields, 'id' | 'version' | 'publishedAt' | 'webUrl'>;

interface ReleaseNeighbours {
  previous: NearRelease | null;
  next: NearRelease | null;
  // Null when it is the next one, or no newer version is known.
  newest: NearRelease | null;
}

const COLUMNS = ['id', 'version', 'version_sort', 'published_at', 'title', 'title_short', 'title_generated'] as const;

type NearRow = Pick<ReleaseRow, (typeof COLUMNS)[number]>;

// A release without a version has no place among the others.
export async function releaseNeighbours(ctx: Context, id: string): Promise<ReleaseNeighbours> {
  const place = await queries(ctx)
    .selectFrom('releases')
    .select(['source_id', 'package_part', 'version_sort', 'prerelease'])
    .where('id', '=', id)
    .executeTakeFirst();
  const own = place?.version_sort;
  if (!place || !own) return { previous: null, next: null, newest: null };
  const among = sql`n.source_id = ${place.source_id}
    AND n.package_part ${place.package_part === null ? sql`IS NULL` : sql`= ${place.package_part}`}
    AND n.listing > 0 AND n.feed_at <= ${now(ctx)}`;
  const isFinal = sql`n.prerelease = 0`;
  // Beside a final version only final ones are of interest.
  const near = place.prerelease === 0 ? sql`${among} AND ${isFinal}` : among;
  const rows = await queries(ctx)
    .selectFrom('releases')
    .select(COLUMNS)
    .where(
      sql<boolean>`id IN (${first(sql`${near} AND n.version_sort < ${own}`, 'DESC')},
        ${first(sql`${near} AND n.version_sort > ${own}`, 'ASC')},
        ${first(sql`${among} AND ${isFinal} AND n.version_sort > ${own}`, 'DESC')})`,
    )
    .orderBy('version_sort')
    .execute();
  const after = rows.filter(({ version_sort }) => (version_sort ?? '') > own);
  const before = rows.find(({ version_sort }) => (version_sort ?? '') < own);
  const [next, last] = after;
  return { previous: nearRelease(ctx, before), next: nearRelease(ctx, next), newest: nearRelease(ctx, last) };
}

function first(condition: RawBuilder<unknown>, order: 'ASC' | 'DESC'): RawBuilder<string> {
  return sql`(SELECT n.id FROM releases n WHERE ${condition} ORDER BY n.version_sort ${sql.raw(order)} LIMIT 1)`;
}

function nearRelease(ctx: Context, row: NearRow | undefined): NearRelease | null {
  if (!row) return null;
  const { id, version, published_at: publishedAt } = row;
  return { id, version, publishedAt, webUrl: releaseWebUrl(ctx.config.webUrl, row) };
}
