// Reads the files of a project, which strangers may have prepared: nothing but regular files, a bounded part of them, and nothing
// behind a link that leaves the repository.
import { basename } from 'node:path';
import { FileRefused, readRegularNow } from '../runtime/regular-file.ts';

// What a person can set right: no lockfile, one that cannot be read, no such commit.
export class ProjectFault extends Error {
  override name = 'ProjectFault';
}

type Limits = Parameters<typeof readRegularNow>[1];

// Null when it is not there, is refused or cannot be read.
export function textFileAt(path: string, limits: Limits): string | null {
  try {
    return readRegularNow(path, limits).toString('utf8');
  } catch (error) {
    if (error instanceof FileRefused) return null;
    throw error;
  }
}

// Null when it is not there. Without a file that is there and not read, the rest would be a wrong answer.
export function projectFileAt(path: string, limits: Limits): string | null {
  try {
    return readRegularNow(path, limits).toString('utf8');
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    if (error.refusal === 'missing') return null;
    const most = `is larger than ${Math.floor(limits.most / 1_048_576)} MiB, the most that is read`;
    throw new ProjectFault(`${basename(path)} ${error.refusal === 'too_large' ? most : error.message}`);
  }
}
