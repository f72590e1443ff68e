// Pieces of markdown that several styles of notes share.
import type { Breaking } from '../contract/enums.ts';
import { deriveSlug } from '../domain/slugs.ts';
import type { BreakingChange } from './changes.ts';
import type { DemoMedia } from './types.ts';
import type { Voice } from './voice.ts';

export interface Notes {
  title: string;
  content: string;
  media?: DemoMedia[];
  type?: 'feature' | 'rollup';
  breaking?: Breaking;
  migrationNotes?: string;
}

// Blocks that are false are left out.
export function join(blocks: readonly (string | false | null | undefined)[]): string {
  return blocks.filter(Boolean).join('\n\n');
}

export function list(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

export function upgradeSteps(changes: readonly BreakingChange[]): string {
  const steps = changes.map((change, index) => `${index + 1}. ${change.migration}`).join('\n');
  const { before = '', after = '' } = changes[0] ?? {};
  const diff = [before.replaceAll(/^/gm, '- '), after.replaceAll(/^/gm, '+ ')].join('\n');
  return `${steps}\n\n\`\`\`diff\n${diff}\n\`\`\``;
}

export function configBlock({ random, area, home, product }: Voice): string {
  const settings = random.sample(area.settings, random.int(2, 4));
  const name = home.startsWith('https://github.com/')
    ? home.split('/').at(-1)
    : product.toLowerCase().replaceAll(' ', '-');
  const yaml = settings.map((setting) => `  ${setting}: ${random.int(1, 60)}`).join('\n');
  const flags = settings.map((setting) => ` --${setting.replaceAll('_', '-')}`).join('');
  return random.chance(0.5)
    ? `\`\`\`yaml\n${name}:\n${yaml}\n\`\`\``
    : `\`\`\`sh\n${name} ${random.pick(area.commands)}${flags}\n\`\`\``;
}

export function measurementTable({ random, area }: Voice): string {
  const rows = random.sample(area.activities, 3).map((activity) => {
    const before = random.int(120, 2400);
    return `| ${activity} | ${before} ms | ${Math.round(before * (0.4 + random.next() * 0.5))} ms |`;
  });
  return `| Measured | Before | After |\n|---|---:|---:|\n${rows.join('\n')}`;
}

const MEDIA = {
  image: { extension: 'png', label: 'Screenshot of' },
  gif: { extension: 'gif', label: 'Animation of' },
  video: { extension: 'mp4', label: 'Short film about' },
};

export function mediaOf(voice: Voice, type: DemoMedia['type'], subject: string): DemoMedia {
  const { extension, label } = MEDIA[type];
  const url = `https://media.${voice.domain}/${deriveSlug(subject)}-${voice.random.hex(6)}.${extension}`;
  return { type, url, alt: `${label} ${subject}` };
}

export function pictures(media: readonly DemoMedia[]): string[] {
  return media.filter((item) => item.type !== 'video').map((item) => `![${item.alt}](${item.url})`);
}
