// Decides what an import does with records: add, change, skip, or refuse them. It only reads, so that a dry run gives
// the same result.
import { sql } from 'kysely';
import { type Context, now, queries } from '../../context.ts';
import type { Queries } from '../../store/schema/index.ts';
import { fieldName } from './columns.ts';
import { conflictOf, takenIdentities } from './conflicts.ts';
import type { FileRecord } from './export-file.ts';
import { recordsByKeys, type StoredRecord } from './read-records.ts';
import type { RecordData } from './record-children.ts';
import { keyOf, RECORD_TYPES, type RecordName } from './record-types.ts';

export type ImportOutcome = 'inserted' | 'updated' | 'unchanged' | 'skipped';

export interface Classified {
  record: FileRecord;
  outcome: ImportOutcome;
  stored: StoredRecord | null;
  // The reason of a skipped record.
  reason?: string;
}

// Records of one type. `expected`, in a dry run: ids that an import would have written by now.
export async function classify(
  ctx: Context,
  records: readonly FileRecord[],
  expected: ReadonlySet<string> | null,
): Promise<Classified[]> {
  const [first] = records;
  if (!first) return [];
  const type = RECORD_TYPES[first.name];
  const db = queries(ctx);
  const keys = records.map(({ data }) => keyOf(type, data));
  const stored = await recordsByKeys(db, first.name, { scope: { now: now(ctx) }, keys });
  const missing = await missingParents(db, records, expected);
  const taken = first.name === 'release' ? await takenIdentities(db, records) : null;
  const results: Classified[] = [];
  for (const record of records) {
    const found = stored.get(keyOf(type, record.data)) ?? null;
    const reason = missing.get(record) ?? taken?.get(record) ?? (await conflictOf(db, record));
    if (reason) results.push({ record, stored: found, outcome: 'skipped', reason });
    else results.push({ record, stored: found, outcome: outcomeOf(record, found) });
  }
  return results;
}

function outcomeOf(record: FileRecord, stored: StoredRecord | null): ImportOutcome {
  if (!stored) return 'inserted';
  // An import never renames an existing tag.
  if (record.name === 'tag') return 'unchanged';
  return !stored.isDeleted && comparable(record.name, record.data) === comparable(record.name, stored.data)
    ? 'unchanged'
    : 'updated';
}

// Coverage is compared by its own records, not by those of releases.
function comparable(name: RecordName, data: RecordData): string {
  return JSON.stringify(name === 'release' ? { ...data, coverageOf: null } : data);
}

async function missingParents(
  db: Queries,
  records: readonly FileRecord[],
  expected: ReadonlySet<string> | null,
): Promise<Map<FileRecord, string>> {
  const missing = new Map<FileRecord, string>();
  const parents = Object.entries(RECORD_TYPES[records[0]?.name ?? 'tag'].parents);
  for (const [column, table] of parents) {
    // A dry run does not remember the releases that it has seen, because there are too many.
    if (expected && table === 'releases') continue;
    const isExpected = (id: string) => expected?.has(id) ?? false;
    const idOf = ({ data }: FileRecord) => textOf(data[fieldName(column)]);
    const ids = [...new Set(records.flatMap((record) => idOf(record) ?? []))].filter((id) => !isExpected(id));
    if (ids.length === 0) continue;
    const live = table === 'releases' ? sql`` : sql`AND deleted_at IS NULL`;
    const { rows } = await sql<{ id: string }>`
      SELECT id FROM ${sql.table(table)} WHERE id IN (${sql.join(ids)}) ${live}`.execute(db);
    const present = new Set(rows.map((row) => row.id));
    for (const record of records) {
      const id = idOf(record);
      if (id && !isExpected(id) && !present.has(id)) missing.set(record, `${id}, to which it belongs, is not here`);
    }
  }
  return missing;
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
