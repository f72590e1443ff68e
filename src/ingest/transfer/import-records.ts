// Imports an export file in batches of one transaction each. The progress is stored with each batch, so that an
// interrupted import resumes after the last one.
import { type Context, now, transact, type WriteContext } from '../../context.ts';
import { recordOf } from '../../domain/records.ts';
import { LineFileError } from '../../store/line-file.ts';
import { readSetting, writeSetting } from '../../store/settings.ts';
import { type Classified, classify, type ImportOutcome } from './classify.ts';
import { createRecordCheck, exportedRecords, type FileRecord, verifyExport } from './export-file.ts';
import { keyOf, RECORD_NAMES, RECORD_TYPES, type RecordName } from './record-types.ts';
import { upsertRecords } from './upsert.ts';
import { upsertReleases } from './upsert-releases.ts';

type ImportCounts = Record<RecordName, Record<ImportOutcome, number>>;

export interface ImportResult {
  counts: ImportCounts;
  // The first refused records, with the reason.
  refused: { line: number; type: RecordName; id: string; reason: string }[];
  records: number;
  // The number of records that an earlier, interrupted import had processed.
  resumedAfter: number;
  // False when the import was interrupted.
  isComplete: boolean;
}

interface RegistryImportOptions {
  path: string;
  dryRun?: boolean;
  // Leaves out records that are not valid, instead of refusing the file.
  skipInvalid?: boolean;
  signal?: AbortSignal;
  onProgress?: (done: number, total: number) => void;
}

// The stored progress of an unfinished import.
interface ImportProgress {
  lines: number;
  counts: ImportCounts;
  refused: ImportResult['refused'];
}

const BATCH = 500;
// A batch of long texts ends early.
const BATCH_CHARACTERS = 4_000_000;
const MAX_REFUSALS = 100;

// The file has records that are not valid; nothing is written.
export class InvalidRecords extends LineFileError {
  // The first of them.
  readonly refused: ImportResult['refused'];

  constructor(refused: ImportResult['refused'], total: number) {
    const [first] = refused;
    const example = first ? `; line ${first.line}: ${first.type} ${first.reason}` : '';
    super(`${total === 1 ? 'a record is' : `${total} records are`} not valid, so nothing was written${example}`);
    this.refused = refused;
  }
}

export async function importRecords(ctx: Context, options: RegistryImportOptions): Promise<ImportResult> {
  const { path, dryRun = false, skipInvalid = false, signal, onProgress = () => {} } = options;
  const invalid: ImportResult['refused'] = [];
  let faults = 0;
  const onFault = (record: FileRecord) => {
    faults += 1;
    if (invalid.length < MAX_REFUSALS) invalid.push(refusalOf(record, record.fault));
  };
  const manifest = await verifyExport(path, { check: createRecordCheck(ctx), signal, onFault }).catch((error) => {
    // A line that is named tells more than a manifest that does not match.
    throw faults > 0 && error instanceof LineFileError ? new InvalidRecords(invalid, faults) : error;
  });
  if (faults > 0 && !skipInvalid) throw new InvalidRecords(invalid, faults);
  const key = `import:${manifest.sha256}`;
  const earlier = dryRun ? null : await readSetting<ImportProgress>(ctx.store.read, key);
  const progress = earlier ?? { lines: 0, counts: emptyCounts(), refused: [] };
  const result: ImportResult = {
    ...progress,
    records: manifest.records,
    resumedAfter: progress.lines,
    isComplete: true,
  };
  const expected = dryRun ? new Set<string>() : null;
  for await (const batch of batches(exportedRecords(path, createRecordCheck(ctx)), progress.lines)) {
    if (signal?.aborted) return { ...result, isComplete: false };
    const lines = batch.at(-1)?.line ?? 0;
    if (expected) tally(result, await judge(ctx, batch, expected));
    else await writeBatch(ctx, { batch, key, result, lines });
    onProgress(lines, manifest.records);
  }
  if (!dryRun) {
    await transact(ctx, ({ tx }) => tx.deleteFrom('settings').where('key', '=', key).execute(), 'bookkeeping');
  }
  return result;
}

function emptyCounts(): ImportCounts {
  const none = () => ({ inserted: 0, updated: 0, unchanged: 0, skipped: 0 });
  return recordOf(RECORD_NAMES, none);
}

async function* batches(records: AsyncIterable<FileRecord>, after: number): AsyncIterable<FileRecord[]> {
  let batch: FileRecord[] = [];
  let characters = 0;
  for await (const record of records) {
    if (record.line <= after) continue;
    if (batch.length >= BATCH || characters >= BATCH_CHARACTERS) {
      yield batch;
      batch = [];
      characters = 0;
    }
    batch.push(record);
    characters += String(record.data.content ?? '').length;
  }
  if (batch.length > 0) yield batch;
}

// Names the run of consecutive records that are written together: records of one type, and releases of one source.
function runOf({ name, data, fault }: FileRecord): string {
  if (fault !== undefined) return 'invalid';
  return name === 'release' ? String(data.sourceId) : name;
}

function runs(batch: readonly FileRecord[]): FileRecord[][] {
  const groups: FileRecord[][] = [];
  for (const record of batch) {
    const last = groups.at(-1);
    if (last?.[0] && runOf(last[0]) === runOf(record)) last.push(record);
    else groups.push([record]);
  }
  return groups;
}

async function judge(ctx: Context, batch: readonly FileRecord[], expected: Set<string>): Promise<Classified[]> {
  const judged: Classified[] = [];
  for (const run of runs(batch)) {
    const classified = leftOut(run) ?? (await classify(ctx, run, expected));
    for (const { record, outcome } of classified) {
      if (outcome === 'inserted' && record.name !== 'release')
        expected.add(keyOf(RECORD_TYPES[record.name], record.data));
    }
    judged.push(...classified);
  }
  return judged;
}

interface Batch {
  batch: readonly FileRecord[];
  key: string;
  result: ImportResult;
  lines: number;
}

async function writeBatch(ctx: Context, { batch, key, result, lines }: Batch): Promise<void> {
  const before = structuredClone({ counts: result.counts, refused: result.refused });
  try {
    await transact(ctx, async (ctx) => {
      // PostgreSQL repeats a transaction after a deadlock; it begins from the same counts.
      Object.assign(result, structuredClone(before));
      for (const run of runs(batch)) tally(result, await writeRun(ctx, run));
      const { counts, refused } = result;
      const value = JSON.stringify({ lines, counts, refused } satisfies ImportProgress);
      await writeSetting(ctx.tx, { key, value, updated_at: now(ctx) });
    });
  } catch (error) {
    if (!ctx.store.dialect.isUniqueViolation(error)) throw error;
    throw new LineFileError(`two records near line ${lines} claim the same name`);
  }
}

async function writeRun(ctx: WriteContext, run: readonly FileRecord[]): Promise<Classified[]> {
  const invalid = leftOut(run);
  if (invalid) return invalid;
  const classified = await classify(ctx, run, null);
  if (run[0]?.name === 'release') await upsertReleases(ctx, classified);
  else await upsertRecords(ctx, classified);
  return classified;
}

// A run of invalid records, which are only reported.
function leftOut(run: readonly FileRecord[]): Classified[] | null {
  if (run[0]?.fault === undefined) return null;
  return run.map((record) => ({ record, stored: null, outcome: 'skipped', reason: record.fault }));
}

function refusalOf(record: FileRecord, reason = ''): ImportResult['refused'][number] {
  const { line, name: type, data } = record;
  return { line, type, id: keyOf(RECORD_TYPES[type], data).slice(0, 80), reason };
}

function tally(result: ImportResult, classified: readonly Classified[]): void {
  for (const { record, outcome, reason } of classified) {
    result.counts[record.name][outcome] += 1;
    if (outcome !== 'skipped' || result.refused.length >= MAX_REFUSALS) continue;
    result.refused.push(refusalOf(record, reason));
  }
}
