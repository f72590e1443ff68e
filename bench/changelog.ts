// A changelog of one mebibyte, from its text to entries, heading index and chunks, in processor time.
import { changelogChunks } from '../src/domain/changelog/chunks.ts';
import { parseChangelog } from '../src/domain/changelog/entries.ts';
import { headingIndex } from '../src/domain/changelog/headings.ts';
import { type Figure, median } from './figures.ts';

const CHARACTERS = 1024 * 1024;
const TARGET_MS = 300;
const ROUNDS = 7;
const NOW = new Date('2026-01-01T00:00:00Z');

export function benchChangelog(): Figure {
  const text = changelogText();
  const options = { names: ['acme'], now: NOW };
  const times: number[] = [];
  let found = { entries: 0, chunks: 0 };
  for (let round = 0; round < ROUNDS; round += 1) {
    const started = process.cpuUsage();
    const entries = parseChangelog(text, options);
    const chunks = changelogChunks(text, headingIndex(text));
    const { user, system } = process.cpuUsage(started);
    times.push((user + system) / 1000);
    found = { entries: entries.length, chunks: chunks.length };
  }
  // The first round pays for compiling.
  const spent = median(times.slice(1));
  return {
    name: 'changelog of 1 MiB',
    value: spent,
    unit: 'ms of one core',
    target: `< ${TARGET_MS}`,
    holds: spent < TARGET_MS,
    detail: `${found.entries} entries and ${found.chunks} chunks; cold ${Math.round(times[0] ?? 0)} ms`,
  };
}

function changelogText(): string {
  const parts = ['# Changelog\n'];
  for (let number = 4000, length = 0; length < CHARACTERS; number -= 1) {
    const date = new Date(NOW.getTime() - (4000 - number) * 86_400_000).toISOString().slice(0, 10);
    const bullets = Array.from(
      { length: 8 },
      (_, index) => `- Part ${index} of the scheduler is faster (#${number + index})`,
    );
    const section = `\n## [1.${number}.0] - ${date}\n\n### Fixed\n\n${bullets.join('\n')}\n\n\`\`\`sh\n# not a heading\nrun\n\`\`\`\n`;
    parts.push(section);
    length += section.length;
  }
  return parts.join('');
}
