import { deriveSlug } from '../domain/slugs.ts';
import type { BreakingChange, Voice } from './changes.ts';
import type { Random } from './random.ts';
import type { DemoMedia } from './types.ts';

// Pieces of markdown that several styles of notes share.

export function upgradeSection(changes: BreakingChange[], heading: string): string | false {
  if (changes.length === 0) return false;
  const [first] = changes;
  const steps = changes.map((change, index) => `${index + 1}. ${change.migration}`).join('\n');
  const diff = [
    ...(first?.before ?? '').split('\n').map((line) => `- ${line}`),
    ...(first?.after ?? '').split('\n').map((line) => `+ ${line}`),
  ].join('\n');
  return `${heading}\n\n${steps}\n\n\`\`\`diff\n${diff}\n\`\`\``;
}

export function configBlock(random: Random, voice: Voice): string {
  const settings = random.sample(voice.area.settings, random.int(2, 4));
  const command = random.pick(voice.area.commands);
  const name = voice.repo?.split('/')[1] ?? voice.product.toLowerCase().replaceAll(' ', '-');
  const yaml = settings.map((setting) => `  ${setting}: ${random.int(1, 60)}`).join('\n');
  return random.chance(0.5)
    ? `\`\`\`yaml\n${name}:\n${yaml}\n\`\`\``
    : `\`\`\`sh\n${name} ${command}${settings.map((s) => ` --${s.replaceAll('_', '-')}`).join('')}\n\`\`\``;
}

export function measurementTable(random: Random, voice: Voice): string {
  const rows = random.sample(voice.area.activities, 3).map((activity) => {
    const before = random.int(120, 2400);
    const after = Math.round(before * (0.4 + random.next() * 0.5));
    return `| ${activity} | ${before} ms | ${after} ms |`;
  });
  return `| Measured | Before | After |\n|---|---:|---:|\n${rows.join('\n')}`;
}

export function imageOf(random: Random, voice: Voice, subject: string): DemoMedia {
  return { type: 'image', url: mediaUrl(random, voice, subject, 'png'), alt: `Screenshot of ${subject}` };
}

export function animationOf(random: Random, voice: Voice, subject: string): DemoMedia {
  return { type: 'gif', url: mediaUrl(random, voice, subject, 'gif'), alt: `Animation of ${subject}` };
}

export function clipOf(random: Random, voice: Voice, subject: string): DemoMedia {
  return { type: 'video', url: mediaUrl(random, voice, subject, 'mp4'), alt: `Short film about ${subject}` };
}

export function mediaUrl(random: Random, voice: Voice, subject: string, extension: string): string {
  return `https://media.${voice.domain}/${deriveSlug(subject)}-${random.hex(6)}.${extension}`;
}
