// Variables that look like settings of the registry and are none, each with the name that may have been meant.
import { variables } from '../config/settings.ts';
import type { Environment } from './command.ts';
import { nearest } from './help.ts';

// Those of the client, which may stand in the same environment.
const CLIENT = ['REGISTRY_API_URL', 'REGISTRY_API_KEY', 'REGISTRY_WEBHOOK_KEY'];

export function unknownVariables(env: Environment): string[] {
  const settings = Object.keys(variables.shape);
  const known = new Set([...settings, ...CLIENT]);
  const unknown = Object.keys(env).filter((name) => isOurs(name) && env[name] !== undefined && !known.has(name));
  return unknown.sort().map((name) => {
    const meant = nearest(name, settings);
    return `${name}: is no setting; ${meant ? `did you mean ${meant}?` : '`registry help config` lists them all'}`;
  });
}

function isOurs(name: string): boolean {
  return name.startsWith('REGISTRY_') && !name.startsWith('REGISTRY_TEST_');
}
