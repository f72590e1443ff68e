// The list of settings with their meanings and defaults, as `registry help config` prints it and `tools/docs.ts` writes it.
import { SECTIONS } from './settings.ts';

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
