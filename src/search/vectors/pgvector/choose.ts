// Whether the index of a space is in the database.
import type { Queries } from '../../../store/schema/index.ts';
import { findExtension, type VectorExtension } from './extension.ts';
import { KINDS, readTables, tableName } from './tables.ts';

interface IndexInDatabase {
  // Null when it is not installed.
  extension: VectorExtension | null;
  // All tables of the space were filled once. Until then each process has an index of its own.
  ready: boolean;
}

export async function findIndexInDatabase(db: Queries, space: string): Promise<IndexInDatabase> {
  const extension = await findExtension(db);
  if (!extension?.usable) return { extension, ready: false };
  const built = new Set((await readTables(db)).filter((table) => table.built).map(({ name }) => name));
  return { extension, ready: KINDS.every((kind) => built.has(tableName({ space, kind }))) };
}
