// The checksum of a file in a small file beside it, as `sha256sum` writes and checks it.
import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { FileRefused, openRegular, readRegular } from '../runtime/regular-file.ts';
import { LineFileError } from './line-file.ts';

export const CHECKSUM_ENDING = '.sha256';
const MAX_LENGTH = 4096;

// `file` is hashed under the name that it will have.
export async function writeChecksum(file: string, target: string): Promise<void> {
  const text = `${await checksumOf(file)}  ${basename(target)}\n`;
  await writeFile(`${target}${CHECKSUM_ENDING}`, text, { mode: 0o600 });
}

export async function verifyChecksum(file: string, { mayBeMissing }: { mayBeMissing: boolean }): Promise<void> {
  const stored = await storedChecksum(file);
  if (stored === null) {
    if (mayBeMissing) return;
    throw new LineFileError(
      `there is no checksum beside it (${basename(file)}${CHECKSUM_ENDING}); --without-checksum reads it nevertheless`,
    );
  }
  if ((await checksumOf(file)) !== stored) {
    throw new LineFileError('the checksum beside it does not match; the file was changed or damaged');
  }
}

async function storedChecksum(file: string): Promise<string | null> {
  try {
    const text = (await readRegular(`${file}${CHECKSUM_ENDING}`, { most: MAX_LENGTH })).toString('utf8');
    const [, checksum] = /^([0-9a-f]{64})(?:\s|$)/i.exec(text) ?? [];
    if (checksum === undefined) throw new LineFileError('the checksum beside it cannot be read');
    return checksum.toLowerCase();
  } catch (error) {
    if (error instanceof FileRefused && error.refusal === 'missing') return null;
    throw error instanceof FileRefused ? new LineFileError(`the checksum beside it ${error.message}`) : error;
  }
}

async function checksumOf(file: string): Promise<string> {
  const hash = createHash('sha256');
  const opened = await openRegular(file);
  for await (const chunk of opened.createReadStream()) hash.update(chunk);
  return hash.digest('hex');
}
