// A folder as the archive that would be published of it, in memory: what tells its API, and the names of the rest.
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { packageOf } from '../../domain/evidence/package-files.ts';
import { FileRefused, readRegularNow } from '../../runtime/regular-file.ts';
import { missingTargets, packedPaths } from './packed-files.ts';

const TELLING = /(?:^|\/)package\.json$|\.[cm]?[jt]sx?$|^readme(?:\.(?:md|markdown))?$/i;
const MAX_FILE = 20_000_000;
const MAX_ALL = 60_000_000;

// `unbuilt`: files that the manifest names and that are not there.
type FolderPack =
  | { archive: Uint8Array; unbuilt?: never }
  | { unbuilt: string[]; archive?: never }
  | { refused: string; archive?: never; unbuilt?: never };

export function packFolder(folder: string, manifestText: string, inside: string): FolderPack {
  const described = packageOf(new Map([['package.json', manifestText]]));
  if (described === null) return { refused: 'its package.json has no name and version' };
  const paths = packedPaths(folder, described.manifest, inside);
  const unbuilt = missingTargets(described.manifest, paths);
  if (unbuilt.length > 0) return { unbuilt };
  const parts: Uint8Array[] = [];
  let total = 0;
  for (const path of paths) {
    const bytes = TELLING.test(path) ? bytesAt(join(folder, path), inside) : new Uint8Array();
    if (bytes === null) continue;
    total += bytes.length;
    if (total > MAX_ALL) return { refused: 'its files are larger than what is compared' };
    parts.push(...tarEntry(`package/${path}`, bytes));
  }
  parts.push(new Uint8Array(2 * BLOCK));
  return { archive: new Uint8Array(gzipSync(Buffer.concat(parts), { level: 1 })) };
}

function bytesAt(path: string, inside: string): Uint8Array | null {
  try {
    return new Uint8Array(readRegularNow(path, { most: MAX_FILE, inside }));
  } catch (error) {
    if (error instanceof FileRefused) return null;
    throw error;
  }
}

const BLOCK = 512;

// Header, bytes and padding; a name that is too long for the header comes before it in an entry of its own.
function tarEntry(name: string, bytes: Uint8Array): Uint8Array[] {
  const long = new TextEncoder().encode(name);
  const before = long.length > 100 ? tarBlocks('././@LongLink', 'L', new Uint8Array([...long, 0])) : [];
  return [...before, ...tarBlocks(name, '0', bytes)];
}

function tarBlocks(name: string, type: string, bytes: Uint8Array): Uint8Array[] {
  const header = new Uint8Array(BLOCK);
  const put = (at: number, text: string) => header.set(new TextEncoder().encode(text).subarray(0, BLOCK - at), at);
  header.set(new TextEncoder().encode(name).subarray(0, 100));
  put(100, '0000644\u0000');
  put(124, `${bytes.length.toString(8).padStart(11, '0')}\u0000`);
  put(136, '00000000000\u0000');
  put(148, '        ');
  put(156, type);
  put(257, 'ustar\u000000');
  const sum = header.reduce((total, byte) => total + byte, 0);
  put(148, `${sum.toString(8).padStart(6, '0')}\u0000 `);
  return [header, bytes, new Uint8Array((BLOCK - (bytes.length % BLOCK)) % BLOCK)];
}
