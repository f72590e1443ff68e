// The writes of a refresh, in the transaction of the caller.

import { type Context, now, queries, type WriteContext } from '../../context.ts';
import { storeChangelogFile } from '../../releases/changelog-files/store-file.ts';
import { rebuildChunks } from '../../releases/indexing/rebuild-chunks.ts';
import type { OriginalFile } from '../adapters/contract.ts';
import { memoryKey, recall, remember } from '../adapters/memory.ts';
import { readMemory, storeMemory } from '../state/memory.ts';

// Stores the text with the facts of its original. The canonical flag is set for all files at once by `flagCanonical`.
export async function storeOriginal(ctx: WriteContext, sourceId: string, file: OriginalFile): Promise<void> {
  const { path, url, rawUrl, text, hash, bytes, startsAt } = file;
  await storeChangelogFile(ctx, { sourceId, path, url, rawUrl, content: text, canonical: false });
  const stored = ctx.tx
    .updateTable('changelog_files')
    .set((eb) => ({
      blob_hash: hash,
      bytes,
      ...(startsAt > 0 ? { truncated_at: eb(eb.fn.coalesce('truncated_at', eb.lit(0)), '+', startsAt) } : {}),
    }))
    .where('source_id', '=', sourceId)
    .where('path', '=', path);
  await stored.execute();
}

// Updates the check time of unchanged files.
export async function touchFiles(ctx: WriteContext, sourceId: string, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  await ctx.tx
    .updateTable('changelog_files')
    .set({ fetched_at: now(ctx) })
    .where('source_id', '=', sourceId)
    .where('path', 'in', paths)
    .execute();
}

export async function flagCanonical(ctx: WriteContext, sourceId: string, path: string): Promise<void> {
  await ctx.tx
    .updateTable('changelog_files')
    .set((eb) => ({ canonical: eb.case().when('path', '=', path).then(1).else(0).end() }))
    .where('source_id', '=', sourceId)
    .execute();
}

// The files that a run has read take the place of those that an earlier one has stored.
export async function storeReadFiles(
  ctx: WriteContext,
  sourceId: string,
  files: readonly OriginalFile[],
): Promise<void> {
  const stored = await ctx.tx.selectFrom('changelog_files').select('path').where('source_id', '=', sourceId).execute();
  const gone = stored.map(({ path }) => path).filter((path) => files.every((file) => file.path !== path));
  await removeFiles(ctx, sourceId, gone);
  for (const file of files) await storeOriginal(ctx, sourceId, file);
  const [canonical] = files;
  if (canonical) await flagCanonical(ctx, sourceId, canonical.path);
}

export async function removeFiles(ctx: WriteContext, sourceId: string, paths: readonly string[]): Promise<void> {
  if (paths.length === 0) return;
  await ctx.tx.deleteFrom('changelog_files').where('source_id', '=', sourceId).where('path', 'in', paths).execute();
  for (const path of paths) await rebuildChunks(ctx, { sourceId, path });
}

const MISSING = memoryKey<Record<string, string>>('missing-files');

// The times at which complete trees first lacked files that are stored, by path.
export async function recallMissing(ctx: Context, sourceId: string): Promise<Map<string, string>> {
  const memory = await readMemory(queries(ctx), sourceId);
  return new Map(Object.entries(recall(memory, MISSING) ?? {}));
}

export function rememberMissing(
  ctx: WriteContext,
  sourceId: string,
  since: ReadonlyMap<string, string>,
): Promise<void> {
  return storeMemory(ctx, sourceId, remember(MISSING, since.size === 0 ? null : Object.fromEntries(since)));
}
