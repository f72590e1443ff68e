// The lines that a terminal shows once the service is ready.
import type { RootKey } from '../accounts/installation-secrets.ts';
import type { Config } from '../config.ts';
import { databaseName } from './database-name.ts';

export function startLines(config: Config, url: string, rootKey: RootKey | null): string[] {
  return [
    `${config.siteName} is running at ${url}`,
    ...(config.port === 0 || config.baseUrl === url ? [] : [`  address   ${config.baseUrl}`]),
    `  data      ${databaseName(config)}`,
    `  root key  ${keyLocation(rootKey)}`,
  ];
}

// The key itself is never printed, because terminals are recorded.
function keyLocation(rootKey: RootKey | null): string {
  if (!rootKey) return 'none; operator calls stay closed until REGISTRY_ROOT_KEY is set';
  return rootKey.path ?? 'as configured by REGISTRY_ROOT_KEY';
}
