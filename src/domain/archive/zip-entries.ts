// The entries of a zip archive in memory, one after the other. Everything is taken from the directory at its end, as installers do;
// sizes and places in it are a stranger's, so each is held against the bytes that are there.
import { crc32, inflateRawSync } from 'node:zlib';
import { ArchiveRefused } from './refusal.ts';

interface ZipLimits {
  entries: number;
  // Bytes of one entry, and of all that are read.
  entryBytes: number;
  unpacked: number;
}

interface ZipEntry {
  path: string;
  // Null for one that is too large, damaged, encrypted or packed in another way.
  bytes: Uint8Array | null;
}

const END = 0x06054b50;
const END_LENGTH = 22;
const END64_PLACE = 0x07064b50;
const END64 = 0x06064b50;
const MEMBER = 0x02014b50;
const MEMBER_LENGTH = 46;
const LOCAL = 0x04034b50;
const LOCAL_LENGTH = 30;
const MAX_COMMENT = 65_535;
const NOT_HERE = 0xffffffff;
const STORED = 0;
const DEFLATED = 8;

export function* zipEntries(bytes: Buffer, wanted: (path: string) => boolean, limits: ZipLimits): Generator<ZipEntry> {
  const { count, start } = directoryOf(bytes);
  if (count > limits.entries) {
    throw new ArchiveRefused('too_many_entries', `the archive has more than ${limits.entries} entries`);
  }
  let [at, unpacked] = [start, 0];
  for (let index = 0; index < count; index += 1) {
    if (at + MEMBER_LENGTH > bytes.length || bytes.readUInt32LE(at) !== MEMBER) throw damaged();
    const nameEnd = at + MEMBER_LENGTH + bytes.readUInt16LE(at + 28);
    const path = bytes.toString('utf8', at + MEMBER_LENGTH, nameEnd);
    const member = at;
    at = nameEnd + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
    if (path.endsWith('/') || !wanted(path)) continue;
    const content = contentOf(bytes, member, limits.entryBytes);
    unpacked += content?.length ?? 0;
    if (unpacked > limits.unpacked) throw new ArchiveRefused('too_large', 'the archive unpacks to too much');
    yield { path, bytes: content };
  }
}

// Archives of many entries have a second, longer end before the first one.
function directoryOf(bytes: Buffer): { count: number; start: number } {
  const lowest = Math.max(0, bytes.length - END_LENGTH - MAX_COMMENT);
  for (let at = bytes.length - END_LENGTH; at >= lowest; at -= 1) {
    if (bytes.readUInt32LE(at) !== END) continue;
    const [count, start] = [bytes.readUInt16LE(at + 10), bytes.readUInt32LE(at + 16)];
    if (count !== 0xffff && start !== NOT_HERE) return { count, start };
    const place = at - 20;
    if (place < 0 || bytes.readUInt32LE(place) !== END64_PLACE) return { count, start };
    const end = Number(bytes.readBigUInt64LE(place + 8));
    if (end + 56 > bytes.length || bytes.readUInt32LE(end) !== END64) throw damaged();
    return { count: Number(bytes.readBigUInt64LE(end + 32)), start: Number(bytes.readBigUInt64LE(end + 48)) };
  }
  throw new ArchiveRefused('truncated', 'the archive is cut off, or no zip');
}

function contentOf(bytes: Buffer, member: number, most: number): Uint8Array | null {
  const isEncrypted = (bytes.readUInt16LE(member + 8) & 1) === 1;
  const method = bytes.readUInt16LE(member + 10);
  const [sum, packed, size] = [16, 20, 24].map((offset) => bytes.readUInt32LE(member + offset)) as [
    number,
    number,
    number,
  ];
  const local = bytes.readUInt32LE(member + 42);
  if (isEncrypted || size > most || local + LOCAL_LENGTH > bytes.length) return null;
  if (bytes.readUInt32LE(local) !== LOCAL) return null;
  const start = local + LOCAL_LENGTH + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
  if (start + packed > bytes.length) return null;
  const content = unpacked(bytes.subarray(start, start + packed), method, most);
  return content?.length === size && crc32(content) === sum ? content : null;
}

function unpacked(packed: Buffer, method: number, most: number): Uint8Array | null {
  if (method === STORED) return packed.length > most ? null : packed;
  if (method !== DEFLATED) return null;
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, most) });
  } catch {
    return null;
  }
}

function damaged(): ArchiveRefused {
  return new ArchiveRefused('damaged', 'the archive is damaged');
}
