// A secret that is made once and stored in a file that only its owner can read.
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ConfigError } from '../config/error.ts';
import { errorCode } from '../domain/records.ts';

export function ensureSecretFile(path: string, leastLength: number, create: () => string): string {
  return readSecret(path, leastLength) ?? createFile(path, leastLength, create());
}

function readSecret(path: string, leastLength: number): string | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
  if (text.length >= leastLength) return text;
  throw new ConfigError([`${path}: must hold at least ${leastLength} characters`]);
}

// Written aside and linked into place: processes that start together see one whole secret or none.
function createFile(path: string, leastLength: number, value: string): string {
  const folder = dirname(path);
  mkdirSync(folder, { recursive: true });
  const draft = join(folder, `${basename(path)}.${process.pid}.${performance.now()}`);
  writeFileSync(draft, `${value}\n`, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, path);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  const stored = readSecret(path, leastLength);
  if (stored === null) throw new Error(`${path} vanished while it was written`);
  return stored;
}
