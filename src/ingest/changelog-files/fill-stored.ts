// Fills stored releases that only point at the changelog from its entries. The adapter uses the same rule, so that the next
// poll changes nothing.

import { type Context, queries, type WriteContext } from '../../context.ts';
import type { SourceInOrg } from '../../entities/resolve.ts';
import { writeDrafts } from '../../releases/write/write-drafts.ts';
import { parseJson } from '../../store/json-text.ts';
import { resultOf } from '../../threads/results.ts';
import { bodyFilling, needsFilling } from '../adapters/changelog/fill-bodies.ts';
import type { StoredChangelog } from '../adapters/contract.ts';
import { readStoredFiles } from './stored.ts';

const MAX_POINTER_LENGTH = 400;

// How many releases were filled.
export async function fillStoredReleases(ctx: WriteContext, sourceInOrg: SourceInOrg): Promise<number> {
  const files = () => readStoredFiles(ctx, sourceInOrg.source.id);
  const { rows, filled } = await fillRows(ctx, sourceInOrg, files);
  const drafts = filled.flatMap((row, index) => {
    if (row.content === rows[index]?.content) return [];
    const { title, content, version, url, guid, media } = row;
    const unchanged = { publishedAt: row.published_at, prerelease: row.prerelease === 1, origin: 'release', given: {} };
    return [{ title, content, version, url, guid, media, type: row.type, ...unchanged }];
  });
  if (drafts.length === 0) return 0;
  const { updated } = await writeDrafts(ctx, { sourceInOrg, drafts, writtenBy: 'fetch', silent: true });
  return updated;
}

// The releases with a short body, as they are and filled. The files are those that will be stored.
export async function fillRows(
  ctx: Context,
  sourceInOrg: SourceInOrg,
  readFiles: () => Promise<readonly StoredChangelog[]>,
) {
  const { source } = sourceInOrg;
  const rows = await shortBodies(ctx, source.id);
  if (!rows.some(needsFilling)) return { rows, filled: [] };
  const tags = await queries(ctx).selectFrom('releases').select('version').where('source_id', '=', source.id).execute();
  const filling = bodyFilling({
    items: rows.map((row) => ({ ...row, media: parseJson(row.media) })),
    files: await readFiles(),
    options: {
      names: sourceNames(sourceInOrg),
      now: ctx.clock(),
      repository: source.github_coordinate?.split('/')[1] ?? '',
      tags: tags.flatMap(({ version }) => version ?? []),
    },
  });
  return { rows, filled: await resultOf(ctx, filling) };
}

function shortBodies(ctx: Context, sourceId: string) {
  return queries(ctx)
    .selectFrom('releases')
    .select(['title', 'content', 'version', 'url', 'guid', 'published_at', 'prerelease', 'type', 'media'])
    .where('source_id', '=', sourceId)
    .where('origin', '=', 'release')
    .where('content_chars', '<=', MAX_POINTER_LENGTH)
    .execute();
}

// Words that may stand before a version in a heading.
export function sourceNames({ org, product, source }: SourceInOrg): string[] {
  const repository = source.github_coordinate?.split('/')[1];
  return [org?.name, product?.name, source.name, repository].filter((name) => name !== undefined);
}
