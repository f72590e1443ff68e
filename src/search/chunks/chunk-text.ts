import type { ChunkPlace } from '../../ports.ts';
import type { ChangelogChunkRow } from '../../store/schema-search.ts';
import type { ChunkText } from '../lexical/index.ts';

/** What the full-text index is told of a chunk; `text` is the whole file. */
export function chunkText(row: ChangelogChunkRow, { source, org, product }: ChunkPlace, text: string): ChunkText {
  return {
    docKey: row.doc_key,
    heading: row.heading,
    version: row.version,
    content: text.slice(row.offset_chars, row.offset_chars + row.length_chars),
    orgId: source.org_id,
    productId: source.product_id,
    sourceId: source.id,
    sourceType: source.type,
    kind: source.kind ?? product?.kind ?? null,
    category: product?.category ?? org?.category ?? null,
  };
}
