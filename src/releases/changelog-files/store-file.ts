// Stores a changelog file: truncated to the size limit, with its headings and token counts precomputed.

import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { now, type WriteContext } from '../../context.ts';
import { headingOffsets } from '../../domain/changelog/headings.ts';
import { PARSER_VERSION } from '../../domain/changelog/parser-version.ts';
import { sectionTokens } from '../../domain/changelog/slice.ts';
import { truncateToNewest } from '../../domain/changelog/truncate-newest.ts';
import { newId } from '../../domain/ids.ts';
import { keysOf, recordOf } from '../../domain/records.ts';
import { textTokens } from '../../domain/tokens/index.ts';
import { toJson } from '../../store/json-text.ts';
import type { ChangelogFileRow } from '../../store/schema/repositories.ts';
import { type Computation, resultOf } from '../../threads/results.ts';
import { threadTask } from '../../threads/task.ts';
import { rebuildChunks } from '../indexing/rebuild-chunks.ts';

interface ChangelogText {
  sourceId: string;
  path: string;
  url: string;
  rawUrl: string;
  content: string;
  canonical: boolean;
  fetchedAt?: string;
}

type IndexedChangelog = Pick<
  ChangelogFileRow,
  'content' | 'blob_hash' | 'bytes' | 'total_chars' | 'total_tokens' | 'truncated_at' | 'headings'
>;

export function indexChangelog(text: string): IndexedChangelog {
  const normal = text.replace(/\r\n?/g, '\n');
  const { content, truncatedAt } = truncateToNewest(normal);
  const offsets = headingOffsets(content);
  return {
    content,
    blob_hash: createHash('sha256').update(normal).digest('hex'),
    bytes: Buffer.byteLength(normal),
    total_chars: content.length,
    total_tokens: textTokens(content),
    truncated_at: truncatedAt,
    headings: toJson({ offsets, sectionTokens: sectionTokens(content, offsets) }),
  };
}

const INDEXING = threadTask(import.meta.url, indexChangelog);

export function changelogIndexing(text: string): Computation<string, IndexedChangelog> {
  return { task: INDEXING, input: text, size: text.length };
}

export async function storeChangelogFile(ctx: WriteContext, file: ChangelogText): Promise<void> {
  const columns = {
    filename: file.path.split('/').at(-1) ?? file.path,
    url: file.url,
    raw_url: file.rawUrl,
    ...(await resultOf(ctx, changelogIndexing(file.content))),
    canonical: file.canonical ? 1 : 0,
    fetched_at: file.fetchedAt ?? now(ctx),
    parser_version: PARSER_VERSION,
  };
  await ctx.tx
    .insertInto('changelog_files')
    .values({ id: newId('scf', ctx.randomBytes), source_id: file.sourceId, path: file.path, ...columns })
    .onConflict((conflict) =>
      conflict
        .columns(['source_id', 'path'])
        // The values of the insert, so that a text of megabytes is sent once.
        .doUpdateSet(recordOf(keysOf(columns), (name) => sql.ref<never>(`excluded.${name}`))),
    )
    .execute();
  await rebuildChunks(ctx, { sourceId: file.sourceId, path: file.path });
}
