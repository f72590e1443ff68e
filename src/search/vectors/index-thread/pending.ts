// What should have a vector and has none yet, counted as far as it decides whether the index is complete enough.
import { sql } from 'kysely';
import type { VectorRows } from './vector-rows.ts';

// Below nine tenths of what should have a vector, meaning is left out of a search.
const TENTHS = 9;

export function isIncomplete({ count, pending }: { count: number; pending: number }): boolean {
  // Nothing at all is another matter: the index is empty.
  return count > 0 && 10 * count < TENTHS * (count + pending);
}

// Exact while they are few; more than that only says that they are many.
export async function pendingOf({ reader: { db }, space, kind }: VectorRows, count: number): Promise<number> {
  const enough = Math.floor(((10 - TENTHS) * count) / TENTHS) + 1;
  // Releases are marked when they were looked at; chunks are looked at in the order of their numbers.
  const waiting =
    kind === 'release'
      ? sql`SELECT 1 AS one FROM releases WHERE embedded_at IS NULL AND listing > 0 LIMIT ${enough}`
      : sql`SELECT 1 AS one FROM changelog_chunks WHERE blank = 0 AND seq > (SELECT COALESCE(MAX(key), 0) FROM vectors
          WHERE space = ${space} AND kind = 'chunk') LIMIT ${enough}`;
  const { rows } = await sql<{ pending: number }>`SELECT count(*) AS pending FROM (${waiting}) w`.execute(db);
  return Number(rows[0]?.pending ?? 0);
}
