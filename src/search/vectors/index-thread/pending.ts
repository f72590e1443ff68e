// Counts documents that should have a vector but have none yet, as far as it decides whether the index is complete enough.
import { sql } from 'kysely';
import type { VectorRows } from './vector-rows.ts';

// With less than nine tenths of the vectors, search by meaning is off.
const TENTHS = 9;

export function isIncomplete({ count, pending }: { count: number; pending: number }): boolean {
  // An index without any vector is reported as empty and not as being built.
  return count > 0 && 10 * count < TENTHS * (count + pending);
}

// The number of pending documents up to a limit.
export async function pendingOf({ reader: { db }, space, kind }: VectorRows, count: number): Promise<number> {
  const enough = Math.floor(((10 - TENTHS) * count) / TENTHS) + 1;
  // Releases are marked when they were processed; chunks are processed in the order of their numbers.
  const waiting =
    kind === 'release'
      ? sql`SELECT 1 AS one FROM releases WHERE embedded_at IS NULL AND listing > 0 LIMIT ${enough}`
      : sql`SELECT 1 AS one FROM changelog_chunks WHERE blank = 0 AND seq > (SELECT COALESCE(MAX(key), 0) FROM vectors
          WHERE space = ${space} AND kind = 'chunk') LIMIT ${enough}`;
  const { rows } = await sql<{ pending: number }>`SELECT count(*) AS pending FROM (${waiting}) w`.execute(db);
  return Number(rows[0]?.pending ?? 0);
}
