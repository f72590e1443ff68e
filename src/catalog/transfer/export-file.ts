// An export file on disk: read as lines with flat memory, packed or not, and checked against its manifest.
import { createHash } from 'node:crypto';
import { isRecord } from '../../domain/records.ts';
import { type FileLine, LineFileError, linesOf, parseLine } from '../../store/line-file.ts';
import { type ExportManifest, FORMAT } from './export-records.ts';
import { RECORD_NAMES, RECORD_SCHEMAS, type RecordData, type RecordName } from './record-types.ts';

export interface FileRecord {
  // The number of the line, from 1.
  line: number;
  name: RecordName;
  data: RecordData;
}

const KNOWN: ReadonlySet<string> = new Set(RECORD_NAMES);

// Reads the whole file once: every record is well formed, and the manifest at the end tells of exactly these.
export async function verifyExport(path: string, onProgress: (records: number) => void = () => {}) {
  const hash = createHash('sha256');
  const counts: Record<string, number> = Object.fromEntries(RECORD_NAMES.map((name) => [name, 0]));
  let records = 0;
  let manifest: ExportManifest | null = null;
  for await (const one of linesOf(path)) {
    const { line } = one;
    if (manifest) throw new LineFileError(`line ${line}: there is something behind the manifest`);
    const { type, data } = typed(one);
    if (type === 'manifest') {
      manifest = readManifest(line, data);
      continue;
    }
    const { name } = readRecord(line, type, data);
    hash.update(one.bytes).update('\n');
    counts[name] = (counts[name] ?? 0) + 1;
    records += 1;
    onProgress(records);
  }
  if (!manifest) throw new LineFileError('the file ends without a manifest; it is no export, or was cut off');
  const sha256 = hash.digest('hex');
  const isWhole = manifest.sha256 === sha256 && manifest.records === records;
  if (!isWhole || Object.entries(counts).some(([name, count]) => (manifest.counts[name] ?? 0) !== count)) {
    throw new LineFileError('the manifest does not match what the file holds; it was changed or damaged');
  }
  return manifest;
}

// The records of a file that was verified.
export async function* exportedRecords(path: string): AsyncIterable<FileRecord> {
  for await (const one of linesOf(path)) {
    const { type, data } = typed(one);
    if (type === 'manifest') return;
    yield readRecord(one.line, type, data);
  }
}

function typed(line: FileLine): { type: string; data: unknown } {
  const value = parseLine(line);
  if (isRecord(value) && typeof value.type === 'string') return { type: value.type, data: value.data };
  throw new LineFileError(`line ${line.line} is no record of an export`);
}

function readManifest(line: number, data: unknown): ExportManifest {
  if (!isRecord(data) || !isRecord(data.counts)) throw new LineFileError(`line ${line}: the manifest cannot be read`);
  if (data.format !== FORMAT) {
    throw new LineFileError(`the file has format ${String(data.format)}, this program reads format ${FORMAT}`);
  }
  return data as unknown as ExportManifest;
}

function readRecord(line: number, type: string, data: unknown): FileRecord {
  if (!KNOWN.has(type)) throw new LineFileError(`line ${line}: there is no record type "${type.slice(0, 40)}"`);
  const name = type as RecordName;
  const checked = RECORD_SCHEMAS[name].safeParse(data);
  if (checked.success) return { line, name, data: checked.data };
  const [issue] = checked.error.issues;
  throw new LineFileError(`line ${line}: ${type} ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is not valid'}`);
}
