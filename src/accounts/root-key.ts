// The operator's key. With the embedded database it is made at the first start and stored beside it; with a database
// server it comes from the configuration only, because several machines must agree on it.
import { resolve } from 'node:path';
import type { Config } from '../config.ts';
import { randomBase62 } from './machine-token.ts';
import { ensureSecretFile } from './secret-file.ts';

const LEAST_LENGTH = 32;

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
  const value = ensureSecretFile(path, LEAST_LENGTH, () => randomBase62(48, randomBytes));
  return { value, path };
}
