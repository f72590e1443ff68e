// The full-text rows of a source's chunks follow it out of sight and back, and to another owner, kind or category.
import type { WriteContext } from '../../context.ts';
import type { ChunkPlace } from '../../ports.ts';
import { removeChunkText, writeChunkText } from '../lexical/index.ts';
import { chunkText } from './chunk-text.ts';

export async function relistChunks(ctx: WriteContext, place: ChunkPlace): Promise<void> {
  if (!place.visible) return unindexChunks(ctx, [place.source.id]);
  const files = await ctx.tx
    .selectFrom('changelog_files')
    .select(['path', 'content'])
    .where('source_id', '=', place.source.id)
    .execute();
  for (const { path, content } of files) {
    const rows = await ctx.tx
      .selectFrom('changelog_chunks')
      .selectAll()
      .where('source_id', '=', place.source.id)
      .where('path', '=', path)
      .where('blank', '=', 0)
      .execute();
    await writeChunkText(
      ctx,
      rows.map((row) => chunkText(row, place, content)),
    );
  }
}

/** The rows themselves go with their source. */
export async function unindexChunks(ctx: WriteContext, sourceIds: readonly string[]): Promise<void> {
  const rows = await ctx.tx
    .selectFrom('changelog_chunks')
    .select('doc_key')
    .where('source_id', 'in', sourceIds)
    .execute();
  await removeChunkText(
    ctx,
    rows.map((row) => row.doc_key),
  );
}
