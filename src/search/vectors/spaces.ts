// Stores which vector space is in use and which one is being filled to replace it, in one row for all processes.
import { isRecord } from '../../domain/records.ts';
import type { VectorKind } from '../../ports.ts';
import { toJson } from '../../store/json-text.ts';
import type { Queries } from '../../store/schema/index.ts';
import { readSetting, writeSetting } from '../../store/settings.ts';

const KEY = 'vectors';

// What a space has vectors of.
export const KINDS: readonly VectorKind[] = ['release', 'chunk', 'entity'];

interface Spaces {
  active: string;
  // Filled in the background after a change of embedder or recipe; null when there is none.
  filling: string | null;
}

export async function readSpaces(db: Queries): Promise<Spaces | null> {
  const stored = await readSetting(db, KEY);
  if (stored !== null && !isSpaces(stored)) throw new Error(`the setting ${KEY} does not name vector spaces`);
  return stored;
}

// Checked by hand, because the thread of the indexes would load the schema library for nothing else.
function isSpaces(stored: unknown): stored is Spaces {
  if (!isRecord(stored) || typeof stored.active !== 'string') return false;
  return stored.filling === null || typeof stored.filling === 'string';
}

export async function writeSpaces(tx: Queries, value: Spaces, at: string): Promise<void> {
  await writeSetting(tx, { key: KEY, value: toJson(value), updated_at: at });
}
