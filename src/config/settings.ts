// Every setting of the service, by section: its schema, its default and its meaning. `config.ts` reads the
// environment by this list; `docs/configuration.md` and `registry help config` are generated from it.
import { z } from 'zod';
import { accounts, limits } from './account-settings.ts';
import { reading, search } from './reading-settings.ts';
import { logs, server, storage } from './service-settings.ts';

interface SettingsSection {
  title: string;
  settings: Readonly<Record<string, z.ZodType>>;
}

export const SECTIONS: readonly SettingsSection[] = [
  { title: 'Server', settings: server },
  { title: 'Storage', settings: storage },
  { title: 'Secrets and accounts', settings: accounts },
  { title: 'Limits', settings: limits },
  { title: 'Reading other sites', settings: reading },
  { title: 'Search and models', settings: search },
  { title: 'Logs and metrics', settings: logs },
];

export const variables = z.object({
  ...server,
  ...storage,
  ...accounts,
  ...limits,
  ...reading,
  ...search,
  ...logs,
});
