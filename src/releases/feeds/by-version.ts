// The releases of a source that some versions name.
import { type Context, now, queries } from '../../context.ts';
import { RELEASE_COLUMNS, releaseFields } from '../release-fields.ts';

// The addresses of their pages, by version; versions that nothing has are left out.
export async function releaseUrlsByVersion(
  ctx: Context,
  sourceId: string,
  versions: readonly string[],
): Promise<Map<string, string>> {
  if (versions.length === 0) return new Map();
  const rows = await queries(ctx)
    .selectFrom('releases')
    .select(RELEASE_COLUMNS)
    .where('source_id', '=', sourceId)
    .where('version', 'in', [...new Set(versions)])
    .where('listing', '>', 0)
    .where('feed_at', '<=', now(ctx))
    .execute();
  return new Map(rows.map((row) => [row.version ?? '', releaseFields(row, ctx.config.webUrl).webUrl]));
}
