// Reads an export file: as lines with constant memory, compressed or not, and checked against its manifest.
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { isRecord } from '../../domain/records.ts';
import { type FileLine, LineFileError, linesOf, parseLine } from '../../store/line-file.ts';
import { type ExportManifest, FORMAT } from './export-records.ts';
import type { RecordCheck } from './record-check.ts';
import type { RecordData } from './record-children.ts';
import { RECORD_NAMES, RECORD_SCHEMAS, type RecordName } from './record-types.ts';

export interface FileRecord {
  // The number of the line, from 1.
  line: number;
  name: RecordName;
  data: RecordData;
  // Why the record is not valid; its data are unchecked then.
  fault?: string;
}

const KNOWN: ReadonlySet<string> = new Set(RECORD_NAMES);
const isRecordName = (name: string): name is RecordName => KNOWN.has(name);

interface Verification {
  check: RecordCheck;
  signal?: AbortSignal | undefined;
  onFault: (record: FileRecord) => void;
}

// Reads the whole file once: every record must be valid, and the manifest at the end must match.
export async function verifyExport(path: string, { check, signal, onFault }: Verification) {
  const hash = createHash('sha256');
  const counts: Record<string, number> = Object.fromEntries(RECORD_NAMES.map((name) => [name, 0]));
  let records = 0;
  let manifest: ExportManifest | null = null;
  for await (const one of linesOf(path)) {
    const { line } = one;
    signal?.throwIfAborted();
    if (manifest) throw new LineFileError(`line ${line}: there is something behind the manifest`);
    const { type, data } = typed(one);
    if (type === 'manifest') {
      manifest = readManifest(line, data);
      continue;
    }
    const record = readRecord(line, { type, data, check });
    if (record.fault !== undefined) onFault(record);
    hash.update(one.bytes).update('\n');
    counts[record.name] = (counts[record.name] ?? 0) + 1;
    records += 1;
  }
  if (!manifest) throw new LineFileError('the file ends without a manifest; it is no export, or was cut off');
  const sha256 = hash.digest('hex');
  const isWhole = manifest.sha256 === sha256 && manifest.records === records;
  if (!isWhole || Object.entries(counts).some(([name, count]) => (manifest.counts[name] ?? 0) !== count)) {
    throw new LineFileError('the manifest does not match what the file holds; it was changed or damaged');
  }
  return manifest;
}

// The records of a verified file.
export async function* exportedRecords(path: string, check: RecordCheck): AsyncIterable<FileRecord> {
  for await (const one of linesOf(path)) {
    const { type, data } = typed(one);
    if (type === 'manifest') return;
    yield readRecord(one.line, { type, data, check });
  }
}

function typed(line: FileLine): { type: string; data: unknown } {
  const value = parseLine(line);
  if (isRecord(value) && typeof value.type === 'string') return { type: value.type, data: value.data };
  throw new LineFileError(`line ${line.line} is no record of an export`);
}

const manifestData = z.object({
  format: z.literal(FORMAT),
  org: z.string().nullable(),
  since: z.string().nullable(),
  counts: z.record(z.string(), z.number()),
  records: z.number(),
  sha256: z.string(),
});

function readManifest(line: number, data: unknown): ExportManifest {
  if (isRecord(data) && isRecord(data.counts) && data.format !== FORMAT) {
    throw new LineFileError(`the file has format ${String(data.format)}, this program reads format ${FORMAT}`);
  }
  const checked = manifestData.safeParse(data);
  if (!checked.success) throw new LineFileError(`line ${line}: the manifest cannot be read`);
  return checked.data;
}

function readRecord(
  line: number,
  { type, data, check }: { type: string; data: unknown; check: RecordCheck },
): FileRecord {
  if (!isRecordName(type)) throw new LineFileError(`line ${line}: there is no record type "${type.slice(0, 40)}"`);
  const checked = RECORD_SCHEMAS[type].safeParse(data);
  if (checked.success) {
    const fault = check(line, type, checked.data);
    return { line, name: type, data: checked.data, ...(fault === null ? {} : { fault }) };
  }
  const [issue] = checked.error.issues;
  const fault = `${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is not valid'}`;
  return { line, name: type, data: isRecord(data) ? data : {}, fault };
}
