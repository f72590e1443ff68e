// Writes the pages of the documentation that are made from the code.
import { writeFileSync } from 'node:fs';
import { describedSections, INTRODUCTION } from '../src/config/document.ts';

export function configurationPage(): string {
  const sections = describedSections().flatMap(({ title, settings }) => [
    '',
    `## ${title}`,
    '',
    '| Variable | Meaning | Default |',
    '| --- | --- | --- |',
    ...settings.map(({ name, meaning, preset }) => `| \`${name}\` | ${meaning} | ${preset} |`),
  ]);
  return `${['# Configuration', '', ...INTRODUCTION, ...sections].join('\n')}\n`;
}

if (import.meta.main) {
  writeFileSync(new URL('../docs/configuration.md', import.meta.url), configurationPage());
}
