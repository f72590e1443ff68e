// Whether the index of a space is in the database.
import type { Queries } from '../../../store/schema/index.ts';
import { KINDS } from '../spaces.ts';
import { findExtension, type VectorExtension } from './extension.ts';
import { readTables } from './tables.ts';

interface IndexInDatabase {
  // Null when it is not installed.
  extension: VectorExtension | null;
  // All tables of the space were filled once. Until then each machine has an index of its own.
  ready: boolean;
  // The worker has begun with them.
  filling: boolean;
}

export async function findIndexInDatabase(db: Queries, space: string): Promise<IndexInDatabase> {
  const extension = await findExtension(db);
  if (!extension?.usable) return { extension, ready: false, filling: false };
  const tables = (await readTables(db)).filter((table) => table.space === space);
  const ready = KINDS.every((kind) => tables.some((table) => table.kind === kind && table.built));
  return { extension, ready, filling: !ready && tables.length > 0 };
}
