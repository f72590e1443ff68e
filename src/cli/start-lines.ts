// What a person at the terminal needs to know once the service answers.
import { join, resolve } from 'node:path';
import type { RootKey } from '../accounts/root-key.ts';
import type { Config } from '../config.ts';

export function startLines(config: Config, url: string, rootKey: RootKey | null): string[] {
  return [
    `${config.siteName} is running at ${config.port === 0 ? url : config.baseUrl}`,
    `  data      ${dataPlace(config)}`,
    `  root key  ${keyPlace(rootKey)}`,
  ];
}

function dataPlace({ databaseUrl, dataDir }: Config): string {
  if (!databaseUrl) return join(resolve(dataDir), 'registry.db');
  const { host, pathname } = new URL(databaseUrl);
  return `PostgreSQL, ${host}${pathname}`;
}

// Never the key itself: terminals are recorded.
function keyPlace(rootKey: RootKey | null): string {
  if (!rootKey) return 'none; operator calls stay closed until REGISTRY_ROOT_KEY is set';
  return rootKey.path ?? 'as configured by REGISTRY_ROOT_KEY';
}
