// The full-text rows of chunks, which have the form of those of releases.
import type { WriteContext } from '../../context.ts';
import { foldText, wordText } from '../../domain/search-text/analysis.ts';
import { encodeToken, exactTokens } from '../../domain/search-text/exact-tokens.ts';
import { entityTerms } from '../../domain/search-text/scope-terms.ts';
import type { ChunkOwner } from '../../ports.ts';
import type { FullTextRow } from '../../store/dialect.ts';
import type { ChangelogChunkRow } from '../../store/schema/search.ts';

export interface ChunkText {
  docKey: number;
  heading: string | null;
  version: string | null;
  content: string;
  orgId: string | null;
  productId: string | null;
  sourceId: string;
  sourceType: string;
  kind: string | null;
  category: string | null;
}

// Writes the rows of chunks; when two share a key, the last one counts.
export async function writeChunkText(ctx: WriteContext, chunks: readonly ChunkText[]): Promise<void> {
  const byKey = new Map(chunks.map((chunk) => [chunk.docKey, chunk]));
  const sorted = [...byKey.values()].sort((a, b) => a.docKey - b.docKey);
  // A letter may unfold into eighteen, so rows are made while they are written: collecting garbage among all rows of a
  // long file would block the thread.
  if (sorted.length > 0) await ctx.store.dialect.writeFullText(ctx.tx, 'chunks', Iterator.from(sorted).map(chunkRow));
}

export async function removeChunkText(ctx: WriteContext, docKeys: readonly number[]): Promise<void> {
  if (docKeys.length > 0) await ctx.store.dialect.deleteFullText(ctx.tx, 'chunks', docKeys);
}

function chunkRow(chunk: ChunkText): FullTextRow {
  const heading = foldText(chunk.heading ?? '');
  const content = foldText(chunk.content);
  return {
    key: chunk.docKey,
    title: wordText(heading),
    version: '',
    summary: '',
    content: wordText(content),
    tokens: exactTokens(heading, chunk.version, content).map(encodeToken).join(' '),
    scope: entityTerms({
      org: chunk.orgId,
      product: chunk.productId,
      source: chunk.sourceId,
      sourceType: chunk.sourceType,
      kind: chunk.kind,
      category: chunk.category,
    }).join(' '),
  };
}

// The full-text row of a chunk; `text` is the whole file.
export function chunkText(row: ChangelogChunkRow, { source, org, product }: ChunkOwner, text: string): ChunkText {
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
