// PostgreSQL's extension for vectors: which versions can be used, and for what.
import { sql } from 'kysely';
import type { Queries } from '../../../store/schema/index.ts';

export interface VectorExtension {
  version: string;
  // It has the type `halfvec`, which came with 0.7.
  usable: boolean;
  // A scan of an index goes on while a filter discards what it finds, which came with 0.8.
  scansOn: boolean;
}

// The most values that an index of `halfvec` takes.
export const MAX_DIMS = 4_000;

// Null when it is not installed in this database. Its type may be out of reach in a schema that is not searched.
export async function findExtension(db: Queries): Promise<VectorExtension | null> {
  const { rows } = await sql<{ version: string; reachable: boolean }>`
    SELECT extversion AS version, to_regtype('halfvec') IS NOT NULL AS reachable
    FROM pg_extension WHERE extname = 'vector'`.execute(db);
  const [found] = rows;
  return found ? judgeExtension(found.version, found.reachable) : null;
}

export function judgeExtension(version: string, reachable: boolean): VectorExtension {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isFrom = (least: number) => major > 0 || minor >= least;
  return { version, usable: reachable && isFrom(7), scansOn: isFrom(8) };
}

// Whether the server has the extension, so that it could be installed in this database.
export async function isExtensionAvailable(db: Queries): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM pg_available_extensions WHERE name = 'vector'`.execute(db);
  return rows.length > 0;
}

// Fails where the user of the database may not do it.
export async function installExtension(db: Queries): Promise<void> {
  await sql`CREATE EXTENSION IF NOT EXISTS vector`.execute(db);
}
