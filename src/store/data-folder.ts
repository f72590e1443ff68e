// The folder of the database file and the generated secrets, which only its owner may read.
import { chmodSync, closeSync, mkdirSync, openSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { errorCode } from '../domain/records.ts';

const FOLDER_MODE = 0o700;
const FILE_MODE = 0o600;
const OTHERS = 0o077;
// Only a shared folder, such as /tmp, has this bit.
const STICKY = 0o1000;

export interface Narrowed {
  path: string;
  from: string;
  to: string;
}

// Creates the folder and the (empty) database file, so that the engine uses the file's narrow mode for its other files.
export function prepareDataFolder(dataDir: string, databaseFile: string, { narrow = true } = {}): Narrowed[] {
  const folder = resolve(dataDir);
  makeFolder(folder);
  closeSync(openSync(join(folder, databaseFile), 'a', FILE_MODE));
  return narrow ? narrowFolder(folder) : [];
}

// One level at a time: Node's recursive mkdir never ends where a file system refuses a parent.
function makeFolder(folder: string): void {
  const missing: string[] = [];
  for (let current = folder; !isFolder(current); current = dirname(current)) {
    if (current === dirname(current)) break;
    missing.unshift(current);
  }
  for (const path of missing) {
    try {
      mkdirSync(path, { mode: FOLDER_MODE });
    } catch (error) {
      // Another process that starts at the same time has created it.
      if (errorCode(error) !== 'EEXIST' || !isFolder(path)) throw error;
    }
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

function narrowFolder(folder: string): Narrowed[] {
  if (process.platform === 'win32' || (statSync(folder).mode & STICKY) !== 0) return [];
  const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
  return [
    ...narrowMode(folder, FOLDER_MODE),
    ...files.flatMap((entry) => narrowMode(join(folder, entry.name), FILE_MODE)),
  ];
}

function narrowMode(path: string, mode: number): Narrowed[] {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats || (stats.mode & OTHERS) === 0) return [];
  try {
    chmodSync(path, mode);
  } catch (error) {
    // The folder belongs to another user, who has given us access on purpose.
    if (errorCode(error) === 'EPERM') return [];
    throw error;
  }
  return [{ path, from: octal(stats.mode), to: octal(mode) }];
}

function octal(mode: number): string {
  return (mode & 0o777).toString(8).padStart(4, '0');
}
