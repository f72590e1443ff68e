import { createGunzip } from 'node:zlib';
import { ARCHIVE_LIMITS, type ArchiveLimits } from './limits.ts';
import { ArchiveRefused, type Refusal } from './refusal.ts';
import { TarParser, type Wanted } from './tar-parser.ts';

interface ArchiveRequest {
  // Paths are those below the top folder of the package (`package.json`, `lib/index.js`).
  wanted: Wanted;
  limits?: Partial<ArchiveLimits>;
}

export type ArchiveResult = { files: Map<string, Uint8Array>; refusal?: never } | { refusal: Refusal; files?: never };

// Large enough that the way to the thread that unpacks costs little.
const PIECE = 256 * 1024;

// The wanted files of a gzipped tar archive, read in memory and never on disk. Memory is bounded by the archive, what is
// kept of it, and one piece.
export async function readArchive(bytes: Uint8Array, { wanted, limits }: ArchiveRequest): Promise<ArchiveResult> {
  try {
    return { files: await unpack(bytes, wanted, { ...ARCHIVE_LIMITS, ...limits }) };
  } catch (error) {
    if (error instanceof ArchiveRefused) return { refusal: error.refusal };
    throw error;
  }
}

async function unpack(bytes: Uint8Array, wanted: Wanted, limits: ArchiveLimits): Promise<Map<string, Uint8Array>> {
  const parser = new TarParser(wanted, limits);
  for await (const piece of boundedPieces(bytes, limits)) parser.push(piece);
  parser.end();
  return parser.files;
}

// The same files one after the other, for archives of more than fits into memory. Of two entries with one path both come. Throws
// `ArchiveRefused`.
export async function* archiveFiles(
  bytes: Uint8Array,
  { wanted, limits, isFlat }: ArchiveRequest & { isFlat: boolean },
): AsyncGenerator<[path: string, content: Uint8Array]> {
  const bounds = { ...ARCHIVE_LIMITS, ...limits };
  const parser = new TarParser(wanted, bounds, isFlat);
  for await (const piece of boundedPieces(bytes, bounds)) {
    parser.push(piece);
    yield* parser.files;
    parser.files.clear();
  }
  parser.end();
}

async function* boundedPieces(bytes: Uint8Array, limits: ArchiveLimits): AsyncGenerator<Uint8Array> {
  if (bytes.length > limits.packed)
    throw new ArchiveRefused('too_large', `the archive is above ${mb(limits.packed)} MB`);
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) throw new ArchiveRefused('not_gzip', 'the archive is not gzipped');
  let unpacked = 0;
  // What follows the end of the archive is read too, so that a damaged or endless one is never taken for a whole one.
  for await (const piece of gunzipped(bytes)) {
    unpacked += piece.length;
    if (unpacked > limits.unpacked) {
      throw new ArchiveRefused('too_large', `the archive unpacks to more than ${mb(limits.unpacked)} MB`);
    }
    if (unpacked > bytes.length * limits.ratio) {
      throw new ArchiveRefused('ratio', `the archive unpacks to more than ${limits.ratio} times its size`);
    }
    yield piece;
  }
}

async function* gunzipped(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: PIECE });
  gunzip.end(bytes);
  try {
    yield* gunzip;
  } catch (error) {
    throw refusalOf(error);
  } finally {
    gunzip.destroy();
  }
}

function refusalOf(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'Z_BUF_ERROR') return new ArchiveRefused('truncated', 'the archive is cut off');
  return typeof code === 'string' && code.startsWith('Z_')
    ? new ArchiveRefused('damaged', 'the archive is damaged')
    : error;
}

function mb(bytes: number): number {
  return Math.floor(bytes / 1_000_000);
}
