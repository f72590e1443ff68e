// Updates the full-text rows of a source's chunks when the source is hidden or shown, or gets another owner, kind or category.
import type { WriteContext } from '../../context.ts';
import type { ChunkOwner } from '../../ports.ts';
import { chunkText, removeChunkText, writeChunkText } from './chunk-text.ts';

export async function relistChunks(ctx: WriteContext, owner: ChunkOwner): Promise<void> {
  if (!owner.visible) return unindexChunks(ctx, [owner.source.id]);
  const files = await ctx.tx
    .selectFrom('changelog_files')
    .select(['path', 'content'])
    .where('source_id', '=', owner.source.id)
    .execute();
  for (const { path, content } of files) {
    const rows = await ctx.tx
      .selectFrom('changelog_chunks')
      .selectAll()
      .where('source_id', '=', owner.source.id)
      .where('path', '=', path)
      .where('blank', '=', 0)
      .execute();
    await writeChunkText(
      ctx,
      rows.map((row) => chunkText(row, owner, content)),
    );
  }
}

// Only full-text rows are removed here; the chunks are deleted with their source.
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
