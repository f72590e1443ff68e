// Archives in npm's own cache, which keeps each under its hash.
import { join } from 'node:path';
import { integrityHolds } from '../../domain/archive/integrity.ts';
import { ARCHIVE_LIMITS } from '../../domain/archive/limits.ts';
import { FileRefused, readRegularNow } from '../../runtime/regular-file.ts';

const LISTED_HASH = /^(sha512|sha384|sha256|sha1)-([A-Za-z0-9+/]{20,100}={0,2})/;

// Null when it is not there, or not what it should be.
export async function archiveInCache(
  folder: string,
  integrity: string | null,
): Promise<Uint8Array<ArrayBuffer> | null> {
  for (const one of (integrity ?? '').split(/\s+/)) {
    const [, kind, hash] = LISTED_HASH.exec(one) ?? [];
    if (kind === undefined || hash === undefined) continue;
    const hex = Buffer.from(hash, 'base64').toString('hex');
    const path = join(folder, '_cacache/content-v2', kind, hex.slice(0, 2), hex.slice(2, 4), hex.slice(4));
    const bytes = bytesAt(path);
    if (bytes !== null && (await integrityHolds(bytes, integrity))) return bytes;
  }
  return null;
}

function bytesAt(path: string): Uint8Array<ArrayBuffer> | null {
  try {
    return new Uint8Array(readRegularNow(path, { most: ARCHIVE_LIMITS.packed }));
  } catch (error) {
    if (error instanceof FileRefused) return null;
    throw error;
  }
}
