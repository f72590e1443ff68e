// The root key of the operator and the secret of the service. With the embedded database they are generated at the
// first start and stored beside it; with a database server they come from the configuration only, because several
// machines must agree.
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { ConfigError } from '../config/error.ts';
import type { Config } from '../config.ts';
import type { ServiceSecrets } from '../context.ts';
import { errorCode } from '../domain/records.ts';
import { randomBase62 } from '../domain/secret-text.ts';

const MIN_LENGTH = 32;

export interface RootKey {
  value: string;
  // The path of the generated key file; null when the key was configured.
  path: string | null;
}

interface RootKeyInput {
  config: Pick<Config, 'rootKey' | 'databaseUrl' | 'dataDir'>;
  randomBytes: (size: number) => Uint8Array;
}

export function ensureRootKey({ config, randomBytes }: RootKeyInput): RootKey | null {
  if (config.rootKey) return { value: config.rootKey, path: null };
  if (config.databaseUrl) return null;
  const path = resolve(config.dataDir, 'root.key');
  const value = ensureSecretFile(path, MIN_LENGTH, () => randomBase62(48, randomBytes));
  return { value, path };
}

const BYTES = 32;
const HEX_LENGTH = 2 * BYTES;

interface ServiceSecretInput {
  config: Pick<Config, 'secrets' | 'databaseUrl' | 'dataDir'>;
  randomBytes: (size: number) => Uint8Array;
}

// Null: none is configured, so whatever needs it is unavailable.
export function ensureServiceSecrets({ config, randomBytes }: ServiceSecretInput): ServiceSecrets | null {
  const { current, previous } = config.secrets;
  if (current) return { current, previous };
  if (config.databaseUrl) return null;
  const path = resolve(config.dataDir, 'service.secret');
  const text = ensureSecretFile(path, HEX_LENGTH, () => Buffer.from(randomBytes(BYTES)).toString('hex'));
  return { current: Buffer.from(text, 'hex'), previous };
}

function ensureSecretFile(path: string, leastLength: number, create: () => string): string {
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
