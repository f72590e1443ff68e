// Stores which vector space is in use and which one is being filled to replace it, in one row for all processes.
import { z } from 'zod';
import { toJson } from '../../store/json-text.ts';
import type { Queries } from '../../store/schema/index.ts';
import { readSetting, writeSetting } from '../../store/settings.ts';

const KEY = 'vectors';

const spaces = z.object({
  active: z.string(),
  // Filled in the background after a change of embedder or recipe; null when there is none.
  filling: z.string().nullable(),
});

type Spaces = z.output<typeof spaces>;

export async function readSpaces(db: Queries): Promise<Spaces | null> {
  const stored = await readSetting(db, KEY);
  return stored === null ? null : spaces.parse(stored);
}

export async function writeSpaces(tx: Queries, value: Spaces, at: string): Promise<void> {
  await writeSetting(tx, { key: KEY, value: toJson(value), updated_at: at });
}
