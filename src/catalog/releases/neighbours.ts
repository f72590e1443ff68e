// The releases before and after one of the same source, in the order of their versions, and the newest of them.
import { type Context, now, queries } from '../../context.ts';
import { pick } from '../../contract/pick.ts';
import type { ReleaseFields } from '../../contract/release.ts';
import type { ReleaseRow } from '../../store/schema/releases.ts';
import { RELEASE_COLUMNS, releaseFields } from './release-fields.ts';

export type NearRelease = Pick<ReleaseFields, 'id' | 'version' | 'title' | 'publishedAt' | 'webUrl'>;

interface ReleaseNeighbours {
  previous: NearRelease | null;
  next: NearRelease | null;
  // Null when it is the next one, or no newer version is known.
  newest: NearRelease | null;
}

type Place = Pick<ReleaseRow, 'id' | 'source_id' | 'package_part' | 'version_sort' | 'prerelease'>;

// A release without a version has no place among the others.
export async function releaseNeighbours(ctx: Context, id: string): Promise<ReleaseNeighbours> {
  const place = await queries(ctx)
    .selectFrom('releases')
    .select(['id', 'source_id', 'package_part', 'version_sort', 'prerelease'])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!place?.version_sort) return { previous: null, next: null, newest: null };
  const [previous, next, newest] = await Promise.all([
    nearest(ctx, place, 'before'),
    nearest(ctx, place, 'after'),
    nearest(ctx, { ...place, prerelease: 0 }, 'last'),
  ]);
  return { previous, next, newest: newest?.id === next?.id ? null : newest };
}

async function nearest(
  ctx: Context,
  { source_id, package_part, version_sort, prerelease }: Place,
  where: 'before' | 'after' | 'last',
): Promise<NearRelease | null> {
  let query = queries(ctx)
    .selectFrom('releases')
    .select(RELEASE_COLUMNS)
    .where('source_id', '=', source_id)
    .where('package_part', package_part === null ? 'is' : '=', package_part)
    .where('version_sort', where === 'before' ? '<' : '>', version_sort)
    .where('listing', '>', 0)
    .where('feed_at', '<=', now(ctx))
    .orderBy('version_sort', where === 'after' ? 'asc' : 'desc')
    .limit(1);
  // Beside a final version only final ones are of interest.
  if (prerelease === 0) query = query.where('prerelease', '=', 0);
  const row = await query.executeTakeFirst();
  return row ? pick(releaseFields(row, ctx.config.webUrl), 'id', 'version', 'title', 'publishedAt', 'webUrl') : null;
}
