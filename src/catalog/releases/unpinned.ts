import { parseJson } from '../../store/json-text.ts';
import type { ReleaseRow } from '../../store/schema.ts';

// Columns of derived texts and the names under which people pin them.
const DERIVED_FIELDS: Record<string, string> = {
  summary: 'summary',
  title_generated: 'titleGenerated',
  title_short: 'titleShort',
  breaking: 'breaking',
  migration_notes: 'migrationNotes',
  importance: 'importance',
  composition: 'composition',
};

export function unpinned<T extends object>(derived: T, stored: Pick<ReleaseRow, 'pinned'>): Partial<T> {
  const pinned = new Set<string>(parseJson(stored.pinned));
  return Object.fromEntries(
    Object.entries(derived).filter(([column]) => !pinned.has(DERIVED_FIELDS[column] ?? '')),
  ) as Partial<T>;
}
