// The operator's key. With the embedded database it is made at the first start and kept beside it; with a database
// server it comes from the configuration only, because several machines must agree on it.
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Config, ConfigError } from '../config.ts';
import { randomBase62 } from './machine-token.ts';

const LEAST_LENGTH = 32;

export interface RootKey {
  value: string;
  // Where a person finds it; null when it was configured.
  path: string | null;
}

export interface RootKeyInput {
  config: Pick<Config, 'rootKey' | 'databaseUrl' | 'dataDir'>;
  randomBytes: (size: number) => Uint8Array;
}

export function ensureRootKey({ config, randomBytes }: RootKeyInput): RootKey | null {
  if (config.rootKey) return { value: config.rootKey, path: null };
  if (config.databaseUrl) return null;
  const path = resolve(config.dataDir, 'root.key');
  const value = readKey(path) ?? createKey(path, randomBytes);
  return { value, path };
}

function readKey(path: string): string | null {
  let text: string;
  try {
    text = readFileSync(path, 'utf8').trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  if (text.length >= LEAST_LENGTH) return text;
  throw new ConfigError(`The configuration is not usable:\n  ${path}: must hold at least ${LEAST_LENGTH} characters`);
}

// Written aside and linked into place: processes that start together see one whole key or none.
function createKey(path: string, randomBytes: (size: number) => Uint8Array): string {
  const folder = join(path, '..');
  mkdirSync(folder, { recursive: true });
  const draft = join(folder, `root.key.${randomBase62(12, randomBytes)}`);
  writeFileSync(draft, `${randomBase62(48, randomBytes)}\n`, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(draft, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(draft);
  }
  const key = readKey(path);
  if (key === null) throw new Error('the root key vanished while it was written');
  return key;
}
