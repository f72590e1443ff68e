// Reads the files that are named on the command line.
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { boundaryOf } from '../../check/git/repository.ts';
import { errorMessage } from '../../domain/records.ts';
import { FileRefused, readRegularNow } from '../../runtime/regular-file.ts';
import { CommandFailure } from '../command.ts';

export function readFile(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (error) {
    throw new CommandFailure(`${file} cannot be read: ${errorMessage(error)}`);
  }
}

export function readTextFile(file: string): string {
  return readFile(file).toString('utf8');
}

const MAX_PROJECT_FILE = 64 * 1024 * 1024;

// A lockfile, manifest or changelog, which may come with the code of strangers.
export function readProjectFile(file: string): string {
  try {
    return readRegularNow(file, { most: MAX_PROJECT_FILE, inside: boundaryOf(dirname(file)) }).toString('utf8');
  } catch (error) {
    if (!(error instanceof FileRefused)) throw error;
    throw new CommandFailure(`${file} cannot be read: it ${error.message}`);
  }
}

export function readJsonFile(file: string): unknown {
  const text = readTextFile(file);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CommandFailure(`${file} is no JSON: ${errorMessage(error)}`);
  }
}
