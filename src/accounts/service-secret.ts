// The secret that everything encrypted or signed by the service hangs on. With the embedded database it is made at the
// first start; with a database server it comes from the configuration only, because several machines must agree on it.
import { resolve } from 'node:path';
import type { Config } from '../config.ts';
import type { ServiceSecrets } from '../context.ts';
import { ensureSecretFile } from './secret-file.ts';

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
