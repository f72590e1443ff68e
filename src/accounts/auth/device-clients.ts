import type { Config } from '../../config.ts';

const COMMAND_LINE = 'registry-cli';

export function isDeviceClient({ deviceClients }: Pick<Config, 'deviceClients'>, id: unknown): boolean {
  return id === COMMAND_LINE || (typeof id === 'string' && deviceClients.includes(id));
}
