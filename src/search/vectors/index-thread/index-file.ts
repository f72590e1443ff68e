// An index on disk: a data file, and a label file that names the valid data file and describes it. Only the label is
// replaced, so readers always find a complete index, however many processes write.
import { createReadStream } from 'node:fs';
import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { isRecord } from '../../../domain/records.ts';
import type { VectorKind } from '../../../ports.ts';
import { Hnsw } from './hnsw.ts';
import { withLock } from './lock-file.ts';

const FORMAT = 1;
const MAX_AGE_MS = 30 * 86_400_000;
const ABANDONED_MS = 3_600_000;

interface IndexLabel {
  format: typeof FORMAT;
  file: string;
  space: string;
  seq: number;
  count: number;
  bytes: number;
  checksum: number;
  savedAt: string;
}

export interface IndexLocation {
  folder: string;
  kind: VectorKind;
}

// Null when the label is missing or cannot be read.
export async function readLabel(location: IndexLocation): Promise<IndexLabel | null> {
  try {
    const label: unknown = JSON.parse(await readFile(labelPath(location), 'utf8'));
    return isLabel(label) ? label : null;
  } catch {
    return null;
  }
}

// Checked by hand, because the thread would load the schema library for nothing else.
function isLabel(label: unknown): label is IndexLabel {
  if (!isRecord(label) || label.format !== FORMAT) return false;
  const { file, space, savedAt, seq, count, bytes, checksum } = label;
  if (typeof file !== 'string' || !/^[\w.-]+$/.test(file)) return false;
  const isText = [space, savedAt].every((value) => typeof value === 'string');
  return isText && [seq, count, bytes, checksum].every(Number.isSafeInteger);
}

export interface IndexFile {
  path: string;
  label: IndexLabel;
}

interface OpenIndexFile {
  space: string;
  dims: number;
  now: Date;
}

// `index` is mapped.
type OpenedIndex = { index: Hnsw; file: IndexFile } | { unusable: string };

export async function openIndexFile(location: IndexLocation, wanted: OpenIndexFile): Promise<OpenedIndex> {
  const label = await readLabel(location);
  const opened = await openLabelled(location, label, wanted);
  if ('index' in opened || label === null) return opened;
  // Another process may have put a newer file in its place.
  const next = await readLabel(location);
  return next === null || next.file === label.file ? opened : openLabelled(location, next, wanted);
}

async function openLabelled(
  { folder }: IndexLocation,
  label: IndexLabel | null,
  { space, dims, now }: OpenIndexFile,
): Promise<OpenedIndex> {
  if (!label) return { unusable: 'missing' };
  if (label.space !== space) return { unusable: 'of another space' };
  // An older file cannot be brought up to date, because the rows of deletions since have been swept.
  if (now.getTime() - Date.parse(label.savedAt) > MAX_AGE_MS) return { unusable: 'too old' };
  const path = join(folder, label.file);
  try {
    if ((await stat(path)).size !== label.bytes) return { unusable: 'of another size' };
    if ((await checksumOf(path)) !== label.checksum) return { unusable: 'damaged' };
    const index = new Hnsw(dims);
    index.view(path);
    return index.size === label.count ? { index, file: { path, label } } : { unusable: 'incomplete' };
  } catch (error) {
    return { unusable: String(error) };
  }
}

// Does the work unless another process of this machine builds or saves the same index.
export async function withSavingLock({ folder, kind }: IndexLocation, work: () => Promise<void>): Promise<void> {
  await mkdir(folder, { recursive: true });
  await withLock(join(folder, `${kind}.lock`), work);
}

interface SaveIndex {
  index: Hnsw;
  space: string;
  seq: number;
  now: Date;
}

export async function saveIndex(location: IndexLocation, { index, space, seq, now }: SaveIndex): Promise<IndexFile> {
  const { folder, kind } = location;
  const before = await readLabel(location);
  const name = `${kind}-${seq}-${process.pid}-${process.hrtime.bigint()}`;
  const part = join(folder, `${name}.part`);
  const path = join(folder, `${name}.usearch`);
  const count = index.size;
  try {
    index.save(part);
    await sync(part);
    const { size: bytes } = await stat(part);
    const checksum = await checksumOf(part);
    const next: IndexLabel = {
      format: FORMAT,
      file: `${name}.usearch`,
      space,
      seq,
      count,
      bytes,
      checksum,
      savedAt: now.toISOString(),
    };
    await rename(part, path);
    await replaceLabel(location, next);
    await removeOthers(location, next, before);
    return { path, label: next };
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}

async function replaceLabel(location: IndexLocation, next: IndexLabel): Promise<void> {
  const temporary = join(location.folder, `${next.file}.label`);
  const file = await open(temporary, 'w');
  try {
    await file.writeFile(JSON.stringify(next));
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(temporary, labelPath(location));
}

// Removes the data file that the label named before, and files that a killed process has left behind.
async function removeOthers(
  { folder, kind }: IndexLocation,
  next: IndexLabel,
  before: IndexLabel | null,
): Promise<void> {
  const others = (await readdir(folder)).filter((name) => name.startsWith(`${kind}-`) && name !== next.file);
  for (const name of others) {
    const path = join(folder, name);
    const age = await stat(path).then(
      ({ mtimeMs }) => Date.now() - mtimeMs,
      () => 0,
    );
    if (name === before?.file || age > ABANDONED_MS) await rm(path, { force: true });
  }
}

function labelPath({ folder, kind }: IndexLocation): string {
  return join(folder, `${kind}.json`);
}

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r+');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

async function checksumOf(path: string): Promise<number> {
  let sum = 0;
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) sum = crc32(chunk, sum);
  return sum;
}
