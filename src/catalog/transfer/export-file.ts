// An export file on disk: read as lines with flat memory, packed or not, and checked against its manifest.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { isRecord } from '../../domain/records.ts';
import { type ExportManifest, FORMAT } from './export-records.ts';
import { RECORD_NAMES, RECORD_SCHEMAS, type RecordData, type RecordName } from './record-types.ts';

/** The file cannot be imported; the message says why. */
export class ExportFileError extends Error {}

export interface FileRecord {
  // From 1.
  line: number;
  name: RecordName;
  data: RecordData;
}

// A changelog file is the longest record by far, and is cut long before this.
const LONGEST_LINE = 64 * 1024 * 1024;
const NEWLINE = 0x0a;
const KNOWN: ReadonlySet<string> = new Set(RECORD_NAMES);

/** Reads the whole file once: every record is well formed, and the manifest at the end tells of exactly these. */
export async function verifyExport(path: string, onProgress: (records: number) => void = () => {}) {
  const hash = createHash('sha256');
  const counts: Record<string, number> = Object.fromEntries(RECORD_NAMES.map((name) => [name, 0]));
  let records = 0;
  let manifest: ExportManifest | null = null;
  for await (const { line, bytes } of linesOf(path)) {
    if (manifest) throw new ExportFileError(`line ${line}: there is something behind the manifest`);
    const { type, data } = parseLine(line, bytes);
    if (type === 'manifest') {
      manifest = readManifest(line, data);
      continue;
    }
    const { name } = readRecord(line, type, data);
    hash.update(bytes).update('\n');
    counts[name] = (counts[name] ?? 0) + 1;
    records += 1;
    onProgress(records);
  }
  if (!manifest) throw new ExportFileError('the file ends without a manifest; it is no export, or was cut off');
  const sha256 = hash.digest('hex');
  const isWhole = manifest.sha256 === sha256 && manifest.records === records;
  if (!isWhole || Object.entries(counts).some(([name, count]) => (manifest.counts[name] ?? 0) !== count)) {
    throw new ExportFileError('the manifest does not match what the file holds; it was changed or damaged');
  }
  return manifest;
}

/** The records of a file that was verified. */
export async function* exportedRecords(path: string): AsyncIterable<FileRecord> {
  for await (const { line, bytes } of linesOf(path)) {
    const { type, data } = parseLine(line, bytes);
    if (type === 'manifest') return;
    yield readRecord(line, type, data);
  }
}

function parseLine(line: number, bytes: Uint8Array): { type: string; data: unknown } {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    if (isRecord(value) && typeof value.type === 'string') return { type: value.type, data: value.data };
  } catch {
    // Same answer as for a value of another shape.
  }
  throw new ExportFileError(`line ${line} is no record of an export`);
}

function readManifest(line: number, data: unknown): ExportManifest {
  if (!isRecord(data) || !isRecord(data.counts)) throw new ExportFileError(`line ${line}: the manifest cannot be read`);
  if (data.format !== FORMAT) {
    throw new ExportFileError(`the file has format ${String(data.format)}, this program reads format ${FORMAT}`);
  }
  return data as unknown as ExportManifest;
}

function readRecord(line: number, type: string, data: unknown): FileRecord {
  if (!KNOWN.has(type)) throw new ExportFileError(`line ${line}: there is no record type "${type.slice(0, 40)}"`);
  const name = type as RecordName;
  const checked = RECORD_SCHEMAS[name].safeParse(data);
  if (checked.success) return { line, name, data: checked.data };
  const [issue] = checked.error.issues;
  throw new ExportFileError(`line ${line}: ${type} ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is not valid'}`);
}

async function* linesOf(path: string): AsyncIterable<{ line: number; bytes: Uint8Array }> {
  let line = 0;
  let rest: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of await byteStream(path)) {
      const bytes: Uint8Array = chunk;
      let start = 0;
      for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
        line += 1;
        yield { line, bytes: Buffer.concat([...rest, bytes.subarray(start, end)]) };
        rest = [];
        size = 0;
        start = end + 1;
      }
      if (start < bytes.length) rest.push(bytes.subarray(start));
      size += bytes.length - start;
      if (size > LONGEST_LINE) throw new ExportFileError(`line ${line + 1} is longer than any record`);
    }
  } catch (error) {
    if (isRecord(error) && typeof error.code === 'string' && /^(?:Z_|ERR_ZLIB)/.test(error.code)) {
      throw new ExportFileError('the packed file is damaged or cut off');
    }
    throw error;
  }
  if (size > 0) yield { line: line + 1, bytes: Buffer.concat(rest) };
}

// Packed files are known by their first bytes, whatever they are called.
async function byteStream(path: string): Promise<AsyncIterable<Uint8Array>> {
  const file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(2), 0, 2, 0).finally(() => file.close());
  const stream = createReadStream(path, { highWaterMark: 256 * 1024 });
  if (bytesRead < 2 || buffer[0] !== 0x1f || buffer[1] !== 0x8b) return stream;
  const unpacked = createGunzip({ chunkSize: 256 * 1024 });
  stream.on('error', (error) => unpacked.destroy(error));
  return stream.pipe(unpacked);
}
