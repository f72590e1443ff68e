// Every setting of the service, by section: its schema, its default and its meaning. `config.ts` reads the environment by
// this list; the texts of `docs/configuration.md` (by `tools/docs.ts`) and `registry help config` are made from it below.
import { z } from 'zod';
import { accounts, limits } from './account-settings.ts';
import { reading, search } from './reading-settings.ts';
import { logs, server, storage } from './service-settings.ts';

interface SettingsSection {
  title: string;
  settings: Readonly<Record<string, z.ZodType>>;
}

const SECTIONS: readonly SettingsSection[] = [
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

export const INTRODUCTION = [
  'Everything is read from the environment once, at start; whatever is wrong is listed at once, by name. An empty value counts',
  'as absent. Lists are comma separated. Flags are `true` or `false`.',
];

interface DescribedSetting {
  name: string;
  meaning: string;
  // The default as markdown, with values in backticks.
  preset: string;
}

interface DescribedSection {
  title: string;
  settings: DescribedSetting[];
}

export function describedSections(): DescribedSection[] {
  return SECTIONS.map(({ title, settings }) => ({
    title,
    settings: Object.entries(settings).map(([name, schema]) => {
      const { description = '', absent = 'none' } = (schema.meta() ?? {}) as { description?: string; absent?: string };
      const preset: unknown = schema.safeParse(undefined).data;
      return { name, meaning: description, preset: presetText(preset, absent) };
    }),
  }));
}

function presetText(preset: unknown, absent: string): string {
  if (typeof preset !== 'string' && typeof preset !== 'number') return absent;
  return preset === '' ? 'empty' : `\`${preset}\``;
}

// The lines that `registry help config` prints.
export function configurationHelp(): string[] {
  const plain = (text: string) => text.replaceAll('`', '');
  const sections = describedSections().flatMap(({ title, settings }) => [
    '',
    `${title}:`,
    ...settings.flatMap(({ name, meaning, preset }) => [
      `  ${name}`,
      `      ${plain(meaning)}`,
      `      default: ${plain(preset)}`,
    ]),
  ]);
  return [...INTRODUCTION.map(plain), ...sections];
}
