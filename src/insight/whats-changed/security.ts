// How many releases of a range repair a security problem, whether the answer lists them or not.
import { sql } from 'kysely';
import type { Context } from '../../context.ts';
import { onceEach } from './history.ts';
import { inUnions } from './spans.ts';
import { isTold, type ToldRequest } from './told-rows.ts';

interface ReadRange {
  told: ToldRequest;
  // Null when not all of them were read.
  entries: readonly { entry: { security: boolean } }[] | null;
}

// The repairs of whole sources are few and have an index of their own, so they are looked up instead of counted in the range.
export async function securityCounts(ctx: Context, ranges: readonly ReadRange[]): Promise<number[]> {
  const open = ranges.flatMap(({ told, entries }) => (entries === null ? [{ ...told, breakingOnly: false }] : []));
  const counted = await onceEach(open, (distinct) => countedRepairs(ctx, distinct));
  let next = 0;
  return ranges.map(({ entries }) =>
    entries === null ? (counted[next++] ?? 0) : entries.filter(({ entry }) => entry.security).length,
  );
}

async function countedRepairs(ctx: Context, requested: readonly ToldRequest[]): Promise<number[]> {
  const rows = await inUnions(
    ctx,
    requested,
    (one, slot) => sql<{ slot: number; count: number }>`SELECT ${sql.lit(slot)} AS slot, COUNT(*) AS count
      FROM releases r WHERE r.security = 1 AND ${isTold(ctx, one)}`,
  );
  const bySlot = new Map(rows.map(({ slot, count }) => [slot, Number(count)]));
  return requested.map((_, slot) => bySlot.get(slot) ?? 0);
}
