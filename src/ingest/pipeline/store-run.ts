// Stores what a run has learned about the source.

import { now, type WriteContext } from '../../context.ts';
import { foldName } from '../../domain/clean-text.ts';
import { refreshNames } from '../../entities/refresh-names.ts';
import { setFormerNames } from '../../entities/sources/former-names.ts';
import { parseJson } from '../../store/json-text.ts';
import type { SourceRow } from '../../store/schema/sources.ts';

// Records that the lowest stored release is the first one that the source lists.
export async function storeListingEnd(ctx: WriteContext, sourceId: string): Promise<void> {
  const stamp = { listing_completed_at: now(ctx) };
  await ctx.tx.updateTable('sources').set(stamp).where('id', '=', sourceId).execute();
}

// An adapter must not change owner, address of the source or counters of its runs.
const NOT_LEARNED = [
  'id',
  'org_id',
  'product_id',
  'slug',
  'type',
  'is_primary',
  'is_hidden',
  'discovery',
  'last_fetched_at',
  'last_polled_at',
  'last_outcome',
  'failing_since',
  'releases_written_at',
  'listing_completed_at',
  'created_at',
  'updated_at',
  'deleted_at',
] as const satisfies (keyof SourceRow)[];

export async function storeLearned(
  ctx: WriteContext,
  source: SourceRow,
  learned: Partial<SourceRow>,
): Promise<boolean> {
  const changes: Partial<SourceRow> = { ...learned };
  for (const column of NOT_LEARNED) delete changes[column];
  if (changes.name !== undefined) changes.name_key = foldName(changes.name);
  // Only an operator resumes a paused source.
  if (source.fetch_priority === 'paused') delete changes.fetch_priority;
  const different = Object.entries(changes).filter(([column, value]) => source[column as keyof SourceRow] !== value);
  if (different.length === 0) return false;
  const row: Partial<SourceRow> = Object.fromEntries(different);
  await ctx.tx.updateTable('sources').set(row).where('id', '=', source.id).execute();
  await refreshNames(ctx, [{ type: 'source', id: source.id }]);
  if (row.former_coordinates !== undefined) {
    await setFormerNames(ctx, source.id, parseJson(row.former_coordinates));
  }
  return true;
}
