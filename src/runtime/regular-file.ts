// Opens and reads files that somebody else may have prepared: nothing but regular files, never more than a limit, and
// never a read that waits for somebody to write.
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { errorCode } from '../domain/records.ts';

type FileRefusal = 'missing' | 'not_regular' | 'too_large' | 'outside' | 'unreadable';

const REFUSALS: Record<FileRefusal, string> = {
  missing: 'is not there or cannot be read',
  not_regular: 'is no regular file',
  too_large: 'is too large',
  outside: 'is a link that leaves its folder',
  unreadable: 'cannot be read',
};

// The file is not read; the message says why.
export class FileRefused extends Error {
  readonly refusal: FileRefusal;

  constructor(refusal: FileRefusal, cause?: unknown) {
    super(REFUSALS[refusal], { cause });
    this.refusal = refusal;
  }
}

// Pipes, devices and sockets are refused before they are opened, because opening can wait or have effects. The check is
// repeated on the open file, which nobody can exchange.
export async function openRegular(path: string): Promise<FileHandle> {
  const found = await stat(path).catch(refuse);
  if (!found.isFile()) throw new FileRefused('not_regular');
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch(refuse);
  const isRegular = await file.stat().then((stats) => stats.isFile());
  if (isRegular) return file;
  await file.close();
  throw new FileRefused('not_regular');
}

interface ReadLimits {
  most: number;
  signal?: AbortSignal | undefined;
}

const CHUNK = 1024 * 1024;
const MIN_CHUNK = 4096;

// Some regular files, such as those of the kernel, are larger than they say, so what is read is counted.
export async function readRegular(path: string, { most, signal }: ReadLimits): Promise<Buffer> {
  const file = await openRegular(path);
  try {
    const { size } = await file.stat();
    if (size > most) throw new FileRefused('too_large');
    const chunks: Buffer[] = [];
    let total = 0;
    for (;;) {
      signal?.throwIfAborted();
      const chunk = Buffer.alloc(Math.min(CHUNK, Math.max(size - total, 0) + MIN_CHUNK));
      const { bytesRead } = await file.read(chunk, 0, chunk.length).catch(refuse);
      if (bytesRead === 0) return Buffer.concat(chunks, total);
      chunks.push(chunk.subarray(0, bytesRead));
      total += bytesRead;
      if (total > most) throw new FileRefused('too_large');
    }
  } finally {
    await file.close();
  }
}

interface LimitsNow {
  most: number;
  // The real path of a folder that the file, all links followed, must not leave.
  inside?: string | undefined;
}

// The same at once, for readers that cannot wait, such as a compiler. Regular files and a bound keep it short.
export function readRegularNow(path: string, { most, inside }: LimitsNow): Buffer {
  const real = orRefuse(() => realpathSync(path));
  if (inside !== undefined && !isInside(inside, real)) throw new FileRefused('outside');
  if (!orRefuse(() => statSync(real)).isFile()) throw new FileRefused('not_regular');
  const file = orRefuse(() => openSync(real, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)));
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw new FileRefused('not_regular');
    if (stats.size > most) throw new FileRefused('too_large');
    const chunks: Buffer[] = [];
    let total = 0;
    for (;;) {
      const chunk = Buffer.alloc(Math.min(CHUNK, Math.max(stats.size - total, 0) + MIN_CHUNK));
      const bytesRead = orRefuse(() => readSync(file, chunk));
      if (bytesRead === 0) return Buffer.concat(chunks, total);
      chunks.push(chunk.subarray(0, bytesRead));
      total += bytesRead;
      if (total > most) throw new FileRefused('too_large');
    }
  } finally {
    closeSync(file);
  }
}

function orRefuse<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    return refuse(error);
  }
}

// Null when the path, all links followed, leaves the folder. `folder` must be a real path.
export async function realPathInside(folder: string, path: string): Promise<string | null> {
  const real = await realpath(path).catch(refuse);
  return isInside(folder, real) ? real : null;
}

export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && way !== path);
}

function refuse(error: unknown): never {
  const code = errorCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') throw new FileRefused('missing', error);
  throw new FileRefused('unreadable', error);
}
