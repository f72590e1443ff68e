// JSON records in a folder, an archive (zip, or gzipped tar) or one file that somebody else has made: one after the other, so that
// there may be more of them than fits into memory. Nothing is unpacked onto the disk, and no link is followed.
import { opendir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { archiveFiles } from '../domain/archive/read-archive.ts';
import { zipEntries } from '../domain/archive/zip-entries.ts';
import { FileRefused, readRegular } from './regular-file.ts';

export interface RecordLimits {
  records: number;
  recordBytes: number;
  // Of an archive as it is, and of everything that is read.
  packedBytes: number;
  bytes: number;
}

export const RECORD_LIMITS: RecordLimits = {
  records: 500_000,
  recordBytes: 1_000_000,
  packedBytes: 1_000_000_000,
  bytes: 8_000_000_000,
};
const DEEPEST_FOLDER = 8;

// There is more than may be read, and what was left out could be what matters.
export class TooManyRecords extends Error {
  override name = 'TooManyRecords';
}

// Null for a record that is too large or damaged. Throws `FileRefused`, `ArchiveRefused` and `TooManyRecords`.
export async function* recordFiles(
  path: string,
  signal?: AbortSignal,
  limits: RecordLimits = RECORD_LIMITS,
): AsyncGenerator<Uint8Array | null> {
  let [count, bytes] = [0, 0];
  for await (const record of recordsAt(path, limits, signal)) {
    signal?.throwIfAborted();
    count += 1;
    bytes += record?.length ?? 0;
    if (count > limits.records) throw new TooManyRecords(`there are more than ${limits.records} records`);
    if (bytes > limits.bytes) throw new TooManyRecords(`the records have more than ${limits.bytes} bytes`);
    yield record;
  }
}

async function* recordsAt(
  path: string,
  limits: RecordLimits,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array | null> {
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) {
    yield* recordsBelow(path, limits, signal);
    return;
  }
  if (isRecordName(path)) {
    yield await recordAt(path, limits, signal);
    return;
  }
  const archive = await readRegular(path, { most: limits.packedBytes, signal });
  if (archive[0] === 0x1f && archive[1] === 0x8b) yield* inTar(archive, limits);
  else {
    const { records, recordBytes, bytes } = limits;
    const bounds = { entries: records * 2, entryBytes: recordBytes, unpacked: bytes };
    for (const entry of zipEntries(archive, isRecordName, bounds)) yield entry.bytes;
  }
}

// An entry that is too large is not kept, and counts as a record that could not be read.
async function* inTar(archive: Buffer, limits: RecordLimits): AsyncGenerator<Uint8Array | null> {
  let tooLarge = 0;
  const files = archiveFiles(archive, {
    wanted: (path, size) => {
      if (!isRecordName(path)) return false;
      if (size <= limits.recordBytes) return true;
      tooLarge += 1;
      return false;
    },
    limits: {
      packed: limits.packedBytes,
      unpacked: limits.bytes,
      entries: limits.records * 2,
      kept: Number.POSITIVE_INFINITY,
    },
    isFlat: true,
  });
  for await (const [, content] of files) yield content;
  for (let index = 0; index < tooLarge; index += 1) yield null;
}

async function* recordsBelow(
  folder: string,
  limits: RecordLimits,
  signal: AbortSignal | undefined,
  depth = 0,
): AsyncGenerator<Uint8Array | null> {
  for await (const entry of await opendir(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && depth < DEEPEST_FOLDER) yield* recordsBelow(path, limits, signal, depth + 1);
    else if (entry.isFile() && isRecordName(entry.name)) yield await recordAt(path, limits, signal);
  }
}

async function recordAt(
  path: string,
  { recordBytes }: RecordLimits,
  signal: AbortSignal | undefined,
): Promise<Uint8Array | null> {
  try {
    return await readRegular(path, { most: recordBytes, signal });
  } catch (error) {
    if (error instanceof FileRefused && error.refusal !== 'missing') return null;
    throw error;
  }
}

function isRecordName(path: string): boolean {
  return path.endsWith('.json');
}
