// The wanted files of a zip archive, read in memory and never on disk. The list at its end says what is in it; whatever it says
// otherwise than the entries themselves is refused, because two readers could take it differently.
import { crc32, inflateRawSync } from 'node:zlib';
import { ARCHIVE_LIMITS, type ArchiveLimits, NAME_BYTES } from './limits.ts';
import type { ArchiveResult } from './read-archive.ts';
import { ArchiveRefused } from './refusal.ts';
import type { Wanted } from './tar-parser.ts';

interface ZipRequest {
  // Paths are those of the archive, whose top folder is none of the package.
  wanted: Wanted;
  limits?: Partial<ArchiveLimits>;
}

export function readZip(bytes: Uint8Array, { wanted, limits }: ZipRequest): ArchiveResult {
  try {
    return { files: unpack(bytes, wanted, { ...ARCHIVE_LIMITS, ...limits }) };
  } catch (error) {
    if (error instanceof ArchiveRefused) return { refusal: error.refusal };
    throw error;
  }
}

const LOCAL = 0x04034b50;
const LISTED = 0x02014b50;
const END = 0x06054b50;
const LOCAL_SIZE = 30;
const LISTED_SIZE = 46;
const END_SIZE = 22;
const MAX_COMMENT = 0xffff;
const STORED = 0;
const DEFLATED = 8;
const ENCRYPTED = 0x2041;
const LINK = 0o120000;

interface ZipEntry {
  path: string;
  name: Buffer;
  method: number;
  checksum: number;
  packed: number;
  size: number;
  at: number;
  isFile: boolean;
}

const damaged = (text: string) => new ArchiveRefused('damaged', text);

function unpack(bytes: Uint8Array, wanted: Wanted, limits: ArchiveLimits): Map<string, Uint8Array> {
  const mb = (count: number) => Math.floor(count / 1_000_000);
  if (bytes.length > limits.packed)
    throw new ArchiveRefused('too_large', `the archive is above ${mb(limits.packed)} MB`);
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer.length < END_SIZE || buffer[0] !== 0x50 || buffer[1] !== 0x4b) {
    throw new ArchiveRefused('not_zip', 'the archive is no zip file');
  }
  const { entries, listAt } = readList(buffer, limits);
  checkPlaces(buffer, entries, listAt);
  const unpacked = entries.reduce((sum, { size }) => sum + size, 0);
  if (unpacked > limits.unpacked) {
    throw new ArchiveRefused('too_large', `the archive unpacks to more than ${mb(limits.unpacked)} MB`);
  }
  if (unpacked > bytes.length * limits.ratio) {
    throw new ArchiveRefused('ratio', `the archive unpacks to more than ${limits.ratio} times its size`);
  }
  const files = new Map<string, Uint8Array>();
  let kept = 0;
  for (const entry of entries) {
    if (!entry.isFile || !isInside(entry.path) || !wanted(entry.path, entry.size)) continue;
    kept += entry.size;
    if (kept > limits.kept) throw new ArchiveRefused('too_large', 'the files to be read are too large');
    files.set(entry.path, contentOf(buffer, entry));
  }
  return files;
}

function readList(buffer: Buffer, limits: ArchiveLimits): { entries: ZipEntry[]; listAt: number } {
  const end = endOf(buffer);
  const count = buffer.readUInt16LE(end + 10);
  const [size, listAt] = [buffer.readUInt32LE(end + 12), buffer.readUInt32LE(end + 16)];
  const isSplit = buffer.readUInt32LE(end + 4) !== 0 || buffer.readUInt16LE(end + 8) !== count;
  if (isSplit || count === 0xffff || listAt === 0xffffffff)
    throw damaged('the archive is split, or of a form for files beyond 4 GB');
  if (listAt + size !== end) throw damaged('the list of the archive is not where its end says');
  if (count === 0) throw new ArchiveRefused('empty', 'the archive has no entries');
  if (count > limits.entries) {
    throw new ArchiveRefused('too_many_entries', `the archive has more than ${limits.entries} entries`);
  }
  const entries: ZipEntry[] = [];
  const paths = new Set<string>();
  let at = listAt;
  for (let index = 0; index < count; index += 1) {
    if (at + LISTED_SIZE > end || buffer.readUInt32LE(at) !== LISTED)
      throw damaged('the list of the archive cannot be read');
    const [name, extra, comment] = [28, 30, 32].map((offset) => buffer.readUInt16LE(at + offset)) as [
      number,
      number,
      number,
    ];
    if (name > NAME_BYTES) throw new ArchiveRefused('name_too_long', 'the name of an entry is too long');
    const next = at + LISTED_SIZE + name + extra + comment;
    if (next > end) throw damaged('the list of the archive cannot be read');
    const entry = listedEntry(buffer, at, name);
    if (paths.has(entry.path)) throw damaged('the archive names a file twice');
    paths.add(entry.path);
    entries.push(entry);
    at = next;
  }
  if (at !== end) throw damaged('the list of the archive cannot be read');
  return { entries, listAt };
}

// A comment may follow the end.
function endOf(buffer: Buffer): number {
  const lowest = Math.max(0, buffer.length - END_SIZE - MAX_COMMENT);
  for (let at = buffer.length - END_SIZE; at >= lowest; at -= 1) {
    if (buffer.readUInt32LE(at) !== END) continue;
    if (at + END_SIZE + buffer.readUInt16LE(at + 20) === buffer.length) return at;
  }
  throw new ArchiveRefused('truncated', 'the archive is cut off');
}

function listedEntry(buffer: Buffer, at: number, nameLength: number): ZipEntry {
  const flags = buffer.readUInt16LE(at + 8);
  if ((flags & ENCRYPTED) !== 0) throw damaged('the archive is encrypted');
  const name = buffer.subarray(at + LISTED_SIZE, at + LISTED_SIZE + nameLength);
  const path = name.toString('utf8');
  // The upper half are the rights of a file on systems that have links.
  const mode = buffer.readUInt32LE(at + 38) >>> 16;
  return {
    path,
    name,
    method: buffer.readUInt16LE(at + 10),
    checksum: buffer.readUInt32LE(at + 16),
    packed: buffer.readUInt32LE(at + 20),
    size: buffer.readUInt32LE(at + 24),
    at: buffer.readUInt32LE(at + 42),
    isFile: !path.endsWith('/') && (mode & 0o170000) !== LINK,
  };
}

// Each entry stands alone, before the list, under the name that the list has for it.
function checkPlaces(buffer: Buffer, entries: readonly ZipEntry[], listAt: number): void {
  let free = 0;
  for (const entry of entries.toSorted((a, b) => a.at - b.at)) {
    const { at, name, packed } = entry;
    if (at < free) throw damaged('entries of the archive lie over each other');
    if (at + LOCAL_SIZE > listAt || buffer.readUInt32LE(at) !== LOCAL)
      throw damaged('an entry is not where the list says');
    const length = buffer.readUInt16LE(at + 26);
    if (!buffer.subarray(at + LOCAL_SIZE, at + LOCAL_SIZE + length).equals(name)) {
      throw damaged('an entry has another name than in the list');
    }
    free = bodyAt(buffer, entry) + packed;
    if (free > listAt) throw damaged('an entry is longer than the archive');
  }
}

function bodyAt(buffer: Buffer, { at }: ZipEntry): number {
  return at + LOCAL_SIZE + buffer.readUInt16LE(at + 26) + buffer.readUInt16LE(at + 28);
}

function contentOf(buffer: Buffer, entry: ZipEntry): Uint8Array {
  const { method, packed, size, checksum } = entry;
  const start = bodyAt(buffer, entry);
  const body = buffer.subarray(start, start + packed);
  const content = method === DEFLATED ? inflated(body, size) : Uint8Array.from(body);
  if (method !== STORED && method !== DEFLATED) throw damaged('an entry is packed in a way that is not known');
  if (content.length !== size || crc32(content) !== checksum) throw damaged('an entry is not what the list says');
  return content;
}

function inflated(body: Buffer, size: number): Uint8Array {
  try {
    return inflateRawSync(body, { maxOutputLength: Math.max(1, size) });
  } catch {
    throw damaged('an entry cannot be unpacked');
  }
}

// Names are only ever keys of a map, but a caller may compare or show them, so none leaves the archive.
function isInside(path: string): boolean {
  return (
    !/[\0\\]|^\/|^[A-Za-z]:/.test(path) && !path.split('/').some((part) => part === '..' || part === '.' || part === '')
  );
}
