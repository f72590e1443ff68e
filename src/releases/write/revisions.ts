import { type Context, queries } from '../../context.ts';
import { seesHidden } from '../../contract/caller.ts';
import type { Revision } from '../../contract/coverage.ts';
import { parseJson } from '../../store/json-text.ts';
import { resolveRelease } from '../detail.ts';

const SHOWN = 50;

// Only writers may read the old texts, because they may contain what was taken down.
export async function listRevisions(ctx: Context, id: string, includeContent: boolean): Promise<Revision[]> {
  await resolveRelease(ctx, id);
  const rows = await queries(ctx)
    .selectFrom('release_revisions')
    .selectAll()
    .where('release_id', '=', id)
    .orderBy('replaced_at', 'desc')
    .orderBy('id', 'desc')
    .limit(SHOWN)
    .execute();
  const withContent = includeContent && seesHidden(ctx.caller);
  return rows.map((row) => ({
    id: row.id,
    replacedAt: row.replaced_at,
    cause: row.cause,
    changed: parseJson(row.changed),
    title: row.title,
    version: row.version,
    publishedAt: row.published_at,
    prerelease: row.prerelease === 1,
    contentHash: row.content_hash,
    previousUpdatedAt: row.previous_updated_at,
    ...(withContent ? { content: row.content } : {}),
  }));
}
