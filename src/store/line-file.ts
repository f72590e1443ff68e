// Files of lines, compressed or not, written atomically and read with constant memory.
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import type { Writable } from 'node:stream';
import { finished, pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { isRecord } from '../domain/records.ts';
import { FileRefused, openRegular } from '../runtime/regular-file.ts';

// The content of the file cannot be used; the message says why.
export class LineFileError extends Error {}

// Far beyond the longest line that this program writes.
const MAX_LINE_LENGTH = 64 * 1024 * 1024;
const NEWLINE = 0x0a;
const CHUNK = 256 * 1024;

export interface FileLine {
  // The number of the line, from 1.
  line: number;
  // Without the end of the line.
  bytes: Uint8Array;
}

export async function* linesOf(path: string): AsyncIterable<FileLine> {
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
      if (size > MAX_LINE_LENGTH) throw new LineFileError(`line ${line + 1} is longer than any record`);
    }
  } catch (error) {
    if (isRecord(error) && typeof error.code === 'string' && /^(?:Z_|ERR_ZLIB)/.test(error.code)) {
      throw new LineFileError('the packed file is damaged or cut off');
    }
    throw error;
  }
  if (size > 0) yield { line: line + 1, bytes: Buffer.concat(rest) };
}

export function parseLine({ line, bytes }: FileLine): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString('utf8'));
  } catch {
    throw new LineFileError(`line ${line} is no record of such a file`);
  }
}

// Compressed files are recognized by their first bytes, whatever their name.
async function byteStream(path: string): Promise<AsyncIterable<Uint8Array>> {
  const [first, second] = await firstBytes(path, 2);
  const stream = (await openFile(path)).createReadStream({ highWaterMark: CHUNK });
  if (first !== 0x1f || second !== 0x8b) return stream;
  const unpacked = createGunzip({ chunkSize: CHUNK });
  stream.on('error', (error) => unpacked.destroy(error));
  // A reader that stops early closes the file, too.
  unpacked.on('close', () => stream.destroy());
  return stream.pipe(unpacked);
}

async function openFile(path: string) {
  try {
    return await openRegular(path);
  } catch (error) {
    throw error instanceof FileRefused ? new LineFileError(`it ${error.message}`, { cause: error }) : error;
  }
}

export async function firstBytes(path: string, count: number): Promise<Uint8Array> {
  const file = await openFile(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(count), 0, count, 0).finally(() => file.close());
  return buffer.subarray(0, bytesRead);
}

// Writes the file atomically: the path has either the whole new file or the old one. A name that ends in `.gz`
// compresses it. Only its owner may read it.
export async function writeLineFile<T>(
  path: string,
  fill: (write: (text: string) => Promise<void>) => Promise<T>,
): Promise<T> {
  const part = `${path}.part`;
  const file = createWriteStream(part, { mode: 0o600 });
  const failed = new Promise<never>((_, reject) => file.on('error', reject));
  failed.catch(() => {});
  const packed = path.endsWith('.gz') ? createGzip() : null;
  const done = packed ? pipeline(packed, file) : finished(file);
  done.catch(() => {});
  const target: Writable = packed ?? file;
  try {
    const result = await fill(async (text) => {
      if (!target.write(text)) await Promise.race([once(target, 'drain'), failed]);
    });
    target.end();
    await done;
    await moveWhole(part, path);
    return result;
  } catch (error) {
    target.destroy();
    await rm(part, { force: true });
    throw error;
  }
}

// Renames a file once all of it is on disk.
export async function moveWhole(part: string, path: string): Promise<void> {
  const file = await open(part, 'r+');
  await file.sync().finally(() => file.close());
  await rename(part, path);
}
