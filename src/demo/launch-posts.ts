import {
  capitalise,
  drawChange,
  drawSubject,
  fictionalCve,
  fill,
  renamedSetting,
  sentence,
  type Voice,
} from './changes.ts';
import { animationOf, clipOf, configBlock, imageOf, measurementTable, mediaUrl } from './note-blocks.ts';
import type { Random } from './random.ts';
import type { Notes } from './release-notes.ts';
import type { PlannedRelease } from './timeline.ts';
import type { DemoMedia } from './types.ts';
import * as words from './vocabulary.ts';

// A blog post about something new, in prose.
export function writeLaunch(random: Random, voice: Voice): Notes {
  const unwritten = voice.area.launches.filter(([title]) => !voice.said.has(title));
  const isWritten = unwritten.length > 0 && random.chance(0.5);
  const { subject, title, frames } = drawSubject(random, voice, isWritten ? unwritten : words.POSTS);
  const media = drawMedia(random, voice, subject.get('feature') ?? title, 0.5);
  const points = Array.from({ length: random.int(2, 4) }, () => drawChange(random, voice, 'feature', 'past').text);
  const [reason, secondReason] = random.sample(words.POST_REASONS, 2);
  const [detail = '', secondDetail = ''] = random.sample(words.POST_DETAILS, 2);
  const content = [
    `${fill(random, voice, frames[1], subject)} ${reason}`,
    ...pictures(media),
    // A hand-written lead names its own subject; details about a drawn one would contradict it.
    ...(isWritten ? [secondReason] : [fill(random, voice, detail, subject)]),
    ...(!isWritten && random.chance(0.5) ? [`${secondReason} ${fill(random, voice, secondDetail, subject)}`] : []),
    random.pick(['## What you get', '## In detail', '## Also new']),
    list(points),
    ...(random.chance(0.3) ? ['## Try it', configBlock(random, voice)] : []),
    ...(random.chance(0.2) ? ['## The numbers', measurementTable(random, voice)] : []),
    random.pick(words.CLOSINGS),
  ].join('\n\n');
  return { title, content, media };
}

// The post that tells of a release which another source already has: coverage of the same launch.
export function writeLaunchOf(random: Random, voice: Voice, release: { number: string; url: string }): Notes {
  const short = release.number.split('.').slice(0, 2).join('.');
  const media = drawMedia(random, voice, `${voice.product} ${short}`, 0.6);
  const points = Array.from({ length: 3 }, () => drawChange(random, voice, 'feature', 'past').text);
  const content = [
    `${voice.product} ${short} is out. ${random.pick(words.POST_REASONS)}`,
    ...pictures(media),
    list(points),
    `The full list is in the [release notes](${release.url}).`,
    random.pick(words.CLOSINGS),
  ].join('\n\n');
  const title = random.pick([`${voice.product} ${short} is here`, `Announcing ${voice.product} ${short}`]);
  return { title, content, media };
}

// A short entry of a changelog page.
export function writeEntry(random: Random, voice: Voice, planned: PlannedRelease): Notes {
  const kind = random.weighted([
    ['feature', 50],
    ['gain', 25],
    ['fix', 17],
    ['security', 4],
    ['deprecation', 4],
  ] as const);
  const { subject, title, frames } = drawSubject<readonly [string, string]>(random, voice, words.ENTRIES[kind]);
  const media = drawMedia(random, voice, subject.get('feature') ?? title, 0.12);
  const more = Array.from({ length: random.int(0, 2) }, () => drawChange(random, voice, 'fix', 'past').text);
  const setting = subject.get('setting') ?? '';
  const content = [
    fill(random, voice, frames[1], subject),
    ...(kind === 'deprecation' ? [`Use \`${renamedSetting(setting)}\` instead.`] : []),
    ...(kind === 'security' ? [`The flaw is known as ${fictionalCve(random)}. Hosted projects are already safe.`] : []),
    ...(random.chance(0.4) ? [random.pick(words.POST_REASONS)] : []),
    ...pictures(media),
    ...(more.length > 0 ? [`**Also in this update**\n\n${list(more)}`] : []),
    ...(random.chance(0.3) ? [random.pick(words.CLOSINGS)] : []),
  ].join('\n\n');
  const isNamedByVersion = planned.tag !== null && random.chance(0.4);
  return {
    title: isNamedByVersion ? (planned.tag as string) : title,
    content,
    media,
    ...(kind === 'deprecation' ? { breaking: 'minor' as const } : {}),
  };
}

// What happened in a quarter, a month or a week.
export function writeRollup(random: Random, voice: Voice, planned: PlannedRelease): Notes {
  const media: DemoMedia[] = [];
  const topics = random.sample(voice.area.features, random.int(3, 5)).map((feature) => {
    const picture = random.chance(0.2) ? imageOf(random, voice, feature) : null;
    if (picture) media.push(picture);
    const subject = new Map([['feature', feature]]);
    const [detail = ''] = random.sample(words.POST_DETAILS, 1);
    return [
      `## ${capitalise(feature)}`,
      fill(random, voice, `{Part} now has {feature}, {audience}. ${detail}`, subject),
      ...(random.chance(0.4) ? [drawChange(random, voice, 'gain', 'past').text] : []),
      ...(picture ? pictures([picture]) : []),
    ].join('\n\n');
  });
  const fixes = Array.from({ length: random.int(3, 8) }, () => drawChange(random, voice, 'fix', 'past').text);
  const content = [...topics, `## Fixes\n\n${list(fixes)}`].join('\n\n');
  return { title: periodTitle(voice, planned), content, media, type: 'rollup' };
}

export function writeStoreNotes(random: Random, voice: Voice, planned: PlannedRelease): Notes {
  const title = `${voice.product} ${planned.number}`;
  const isSmall = planned.step === 'patch' && random.chance(0.35);
  if (isSmall) return { title, content: random.pick(words.STORE_BOILERPLATE), media: [] };
  const marks = random.chance(0.4) ? ['✨', '🛠', '🎨', '⚡'] : ['•'];
  const items = [
    ...Array.from({ length: random.int(1, 3) }, () => sentence(random, voice, words.STORE_FEATURES)),
    ...Array.from({ length: random.int(1, 3) }, () => sentence(random, voice, words.STORE_FIXES)),
  ].map((text) => `${random.pick(marks)} ${text}`);
  const content = [
    fill(random, voice, random.pick(words.STORE_OPENINGS)),
    items.join('\n'),
    ...(random.chance(0.4) ? [`Questions? Write to us at help@${voice.domain}`] : []),
  ].join('\n\n');
  const screenshot = random.chance(0.12) ? [imageOf(random, voice, `${voice.product} ${planned.number}`)] : [];
  return { title, content, media: screenshot };
}

export function writeVideo(random: Random, voice: Voice): Notes {
  const { subject, title, frames } = drawSubject<readonly [string, string]>(random, voice, [
    ['{Feature} in three minutes', 'Everything you need to know about {feature}, in three minutes.'],
    ['Getting started with {feature}', 'We set up {feature} from nothing and explain each step.'],
    ['{Product} demo: {feature}', 'A short tour of {feature} and of what {part} does with it.'],
    ['Deep dive: {part}', 'An hour inside {part}: how it works, why it {gain}, and what comes next.'],
    ['Office hours: {activity}', 'Your questions about {activity}, answered by the people who built it.'],
  ]);
  let seconds = 0;
  const chapters = ['Hello', ...random.sample(voice.area.features, 3).map(capitalise), 'Where to go next'].map(
    (name) => {
      const mark = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} ${name}`;
      seconds += random.int(25, 140);
      return mark;
    },
  );
  const content = [
    fill(random, voice, frames[1], subject),
    `Chapters:\n\n${chapters.join('\n')}`,
    `Read more: https://${voice.domain}/docs`,
  ].join('\n\n');
  return { title, content, media: [{ type: 'image', url: mediaUrl(random, voice, title, 'jpg'), alt: title }] };
}

function periodTitle(voice: Voice, planned: PlannedRelease): string {
  const date = new Date(planned.at);
  const year = date.getUTCFullYear();
  const month = words.MONTHS[date.getUTCMonth()];
  if (planned.number) return `${voice.product} ${planned.number} (${month} ${year})`;
  if (planned.period === 'week') return `Weekly update #${planned.periodIndex}`;
  if (planned.period === 'quarter') {
    const season = ['Winter', 'Spring', 'Summer', 'Autumn'][Math.floor(date.getUTCMonth() / 3)];
    return `${season} '${String(year).slice(2)} release`;
  }
  // The first letters of a name pick the house style of its titles.
  const styles = [`${month} ${year} Update`, `What's new in ${month} ${year}`, `${month} ${year}`];
  return styles[voice.product.length % styles.length] as string;
}

function drawMedia(random: Random, voice: Voice, subject: string, probability: number): DemoMedia[] {
  if (!random.chance(probability)) return [];
  const draw = random.weighted([
    [imageOf, 70],
    [animationOf, 16],
    [clipOf, 14],
  ] as const);
  return [draw(random, voice, subject)];
}

function pictures(media: DemoMedia[]): string[] {
  return media.filter((item) => item.type !== 'video').map((item) => `![${item.alt}](${item.url})`);
}

function list(items: string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}
