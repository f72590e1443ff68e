// Whether the vectors of a kind are complete enough to be searched, by the number of documents that still wait for one.
import { sql } from 'kysely';
import type { VectorRows } from './vector-rows.ts';

// How many vectors there must be for each document without one: almost none may lack until an index is complete for the first
// time, and a tenth from then on, because new documents always wait for a moment.
const FOR_EACH_PENDING = { building: 999, complete: 9 };

// `pending` may be counted up to `mostPending` of the same count: more do not change the result.
export function isComplete(before: boolean, { count, pending }: { count: number; pending: number }): boolean {
  return pending <= allowed(before, count);
}

export function mostPending(before: boolean, count: number): number {
  return allowed(before, count) + 1;
}

function allowed(before: boolean, count: number): number {
  return Math.floor(count / (before ? FOR_EACH_PENDING.complete : FOR_EACH_PENDING.building));
}

// The number of pending documents up to a limit.
export async function pendingOf({ reader: { db }, space, kind }: VectorRows, most: number): Promise<number> {
  // Releases are marked when they were processed; chunks are processed in the order of their numbers.
  const waiting =
    kind === 'release'
      ? sql`SELECT 1 AS one FROM releases WHERE embedded_at IS NULL AND listing > 0 LIMIT ${most}`
      : sql`SELECT 1 AS one FROM changelog_chunks WHERE blank = 0 AND seq > (SELECT COALESCE(MAX(key), 0) FROM vectors
          WHERE space = ${space} AND kind = 'chunk') LIMIT ${most}`;
  const { rows } = await sql<{ pending: number }>`SELECT count(*) AS pending FROM (${waiting}) w`.execute(db);
  return Number(rows[0]?.pending ?? 0);
}
