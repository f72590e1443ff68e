// Rows of the chunks of a file: a chunk whose text is unchanged keeps its row, and every row gets a free key.
import type { WriteContext } from '../../context.ts';
import { docKey } from '../../domain/search-text/doc-key.ts';
import type { ChunkOwner } from '../../ports.ts';
import type { ChangelogChunkRow } from '../../store/schema/search.ts';
import type { ChunkDraft } from './chunk-drafts.ts';

export type ChangelogFileKey = { sourceId: string; path: string };

interface Rebuild {
  file: ChangelogFileKey;
  owner: ChunkOwner;
  drafts: readonly ChunkDraft[];
  stored: readonly ChangelogChunkRow[];
}

function nextOf(numbers: Iterator<number>): number {
  const { done, value } = numbers.next();
  if (done) throw new RangeError('fewer numbers than chunks');
  return value;
}

// The rows of a file. Chunks with an unchanged text keep their rows; equal texts keep them in order.
export async function rowsOf(
  ctx: WriteContext,
  { file, owner, drafts, stored }: Rebuild,
): Promise<ChangelogChunkRow[]> {
  const known = Map.groupBy(stored, (row) => row.text_hash);
  const reused = drafts.map((draft) => known.get(draft.textHash)?.shift() ?? null);
  const missing = reused.filter((row) => row === null).length;
  const fresh = (await ctx.store.dialect.nextNumbers(ctx.tx, 'chunk_seq', missing)).values();
  const rows = drafts.map((draft, index): ChangelogChunkRow => {
    const seq = reused[index]?.seq ?? nextOf(fresh);
    return {
      seq,
      doc_key: docKey(draft.date ?? owner.source.created_at, seq),
      source_id: file.sourceId,
      path: file.path,
      offset_chars: draft.offset,
      length_chars: draft.length,
      offset_bytes: draft.offsetBytes,
      length_bytes: draft.lengthBytes,
      tokens: draft.tokens,
      heading: draft.heading,
      section_offset: draft.startsAt,
      version: draft.version,
      entry_date: draft.date,
      text_hash: draft.textHash,
      blank: draft.blank ? 1 : 0,
    };
  });
  return withFreeKeys(ctx, rows);
}

// Two chunks of one minute can get the same key once 2^20 numbers are used up; the later one gets the next free key.
async function withFreeKeys(ctx: WriteContext, rows: readonly ChangelogChunkRow[]): Promise<ChangelogChunkRow[]> {
  const taken = new Set(
    await keysAmong(
      ctx,
      rows.map((row) => row.doc_key),
    ),
  );
  const keyed: ChangelogChunkRow[] = [];
  for (const row of rows) {
    let key = row.doc_key;
    while (taken.has(key) || (key !== row.doc_key && (await keysAmong(ctx, [key])).length > 0)) key += 1;
    taken.add(key);
    keyed.push({ ...row, doc_key: key });
  }
  return keyed;
}

async function keysAmong(ctx: WriteContext, keys: readonly number[]): Promise<number[]> {
  if (keys.length === 0) return [];
  const rows = await ctx.tx.selectFrom('changelog_chunks').select('doc_key').where('doc_key', 'in', keys).execute();
  return rows.map((row) => row.doc_key);
}
