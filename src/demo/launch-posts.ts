import { capitalise, drawChange, fictionalCve, fill, sentence, type Voice } from './changes.ts';
import { animationOf, clipOf, configBlock, imageOf, mediaUrl, measurementTable } from './note-blocks.ts';
import type { Random } from './random.ts';
import type { Notes } from './release-notes.ts';
import type { PlannedRelease } from './timeline.ts';
import type { DemoMedia } from './types.ts';
import * as words from './vocabulary.ts';

const TITLE_FRAMES = [
  'Introducing {feature}',
  '{Feature} in {part}',
  '{Feature}, now in {product}',
  '{Activity}, made simpler',
  'Announcing {feature} for {product}',
  '{Feature} and {feature}',
  'New in {product}: {feature}',
];

/** A blog post about something new, in prose. */
export function writeLaunch(random: Random, voice: Voice): Notes {
  const launch = random.pick(voice.area.launches);
  const isWritten = !voice.said.has(launch[0]);
  const title = isWritten ? launch[0] : sentence(random, voice, TITLE_FRAMES);
  voice.said.add(title);
  const subject = random.pick(voice.area.features);
  const media = drawMedia(random, voice, subject, 0.5);
  const points = Array.from({ length: random.int(2, 4) }, () => drawChange(random, voice, 'feature', 'past').text);
  const content = [
    isWritten ? launch[1] : fill(random, voice, `Starting today, {product} has {feature}. ${random.pick(words.POST_REASONS)}`),
    ...media.filter((item) => item.type !== 'video').map((item) => `![${item.alt}](${item.url})`),
    random.pick(words.POST_REASONS),
    '## What you get',
    points.map((point) => `- ${point}`).join('\n'),
    ...(random.chance(0.3) ? ['## Try it', configBlock(random, voice)] : []),
    ...(random.chance(0.2) ? ['## The numbers', measurementTable(random, voice)] : []),
    fill(random, voice, `Along the way, ${decapitalise(drawChange(random, voice, 'gain', 'past').text)}`),
    random.pick(words.CLOSINGS),
  ].join('\n\n');
  return { title, content, media };
}

/** The post that tells of a release which another source already has: coverage of the same launch. */
export function writeLaunchOf(random: Random, voice: Voice, release: { title: string; number: string; url: string }): Notes {
  const short = release.number.split('.').slice(0, 2).join('.');
  const media = drawMedia(random, voice, `${voice.product} ${short}`, 0.6);
  const points = Array.from({ length: 3 }, () => drawChange(random, voice, 'feature', 'past').text);
  const content = [
    `${voice.product} ${short} is out. ${random.pick(words.POST_REASONS)}`,
    ...media.filter((item) => item.type !== 'video').map((item) => `![${item.alt}](${item.url})`),
    points.map((point) => `- ${point}`).join('\n'),
    `The full list is in the [release notes](${release.url}).`,
    random.pick(words.CLOSINGS),
  ].join('\n\n');
  const title = random.pick([`${voice.product} ${short} is here`, `Announcing ${voice.product} ${short}`]);
  return { title, content, media };
}

/** A short entry of a changelog page. */
export function writeEntry(random: Random, voice: Voice, planned: PlannedRelease): Notes {
  const kind = random.weighted([
    ['feature', 50],
    ['gain', 25],
    ['fix', 17],
    ['security', 4],
    ['deprecation', 4],
  ] as const);
  const lead = drawChange(random, voice, kind, 'past').text;
  const title = entryTitle(random, voice, kind);
  const media = drawMedia(random, voice, random.pick(voice.area.features), 0.12);
  const more = Array.from({ length: random.int(0, 2) }, () => drawChange(random, voice, 'fix', 'past').text);
  const content = [
    lead,
    ...(random.chance(0.4) ? [random.pick(words.POST_REASONS)] : []),
    ...media.filter((item) => item.type !== 'video').map((item) => `![${item.alt}](${item.url})`),
    ...(more.length > 0 ? [`**Also in this update**\n\n${more.map((text) => `- ${text}`).join('\n')}`] : []),
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

/** What happened in a quarter, a month or a week. */
export function writeRollup(random: Random, voice: Voice, planned: PlannedRelease): Notes {
  const media: DemoMedia[] = [];
  const topics = random.sample(voice.area.features, random.int(3, 5)).map((feature) => {
    const picture = random.chance(0.2) ? imageOf(random, voice, feature) : null;
    if (picture) media.push(picture);
    const text = [
      `## ${capitalise(feature)}`,
      drawChange(random, voice, 'feature', 'past').text,
      ...(random.chance(0.5) ? [drawChange(random, voice, 'gain', 'past').text] : []),
      ...(picture ? [`![${picture.alt}](${picture.url})`] : []),
    ];
    return text.join('\n\n');
  });
  const fixes = Array.from({ length: random.int(3, 8) }, () => `- ${drawChange(random, voice, 'fix', 'past').text}`);
  const content = [...topics, `## Fixes\n\n${fixes.join('\n')}`].join('\n\n');
  return { title: periodTitle(voice, planned), content, media, type: 'rollup' };
}

export function writeStoreNotes(random: Random, voice: Voice, planned: PlannedRelease): Notes {
  const title = `${voice.product} ${planned.number}`;
  const isSmall = planned.step === 'patch' && random.chance(0.35);
  if (isSmall) return { title, content: random.pick(words.STORE_BOILERPLATE), media: [] };
  const marks = random.chance(0.4) ? ['✨', '🛠', '🎨', '⚡'] : ['•'];
  const items = [
    ...Array.from({ length: random.int(1, 3) }, () => drawChange(random, voice, 'feature', 'past').text),
    ...Array.from({ length: random.int(1, 3) }, () => drawChange(random, voice, 'fix', 'past').text),
  ].map((text) => `${random.pick(marks)} ${text.replaceAll('`', '')}`);
  const content = [
    fill(random, voice, random.pick(words.STORE_OPENINGS)),
    items.join('\n'),
    ...(random.chance(0.4) ? [`Questions? Write to us at help@${voice.domain}`] : []),
  ].join('\n\n');
  const screenshot = random.chance(0.12) ? [imageOf(random, voice, `${voice.product} ${planned.number}`)] : [];
  return { title, content, media: screenshot };
}

export function writeVideo(random: Random, voice: Voice): Notes {
  const title = sentence(random, voice, [
    '{Feature} in three minutes',
    'How to get started with {feature}',
    "What's new: {feature} and {feature}",
    'Deep dive: {part}',
    'Office hours: {activity}',
    '{Product} demo: {feature}',
  ]);
  let seconds = 0;
  const chapters = ['Hello', ...random.sample(voice.area.features, 3).map(capitalise), 'Where to go next'].map((name) => {
    const mark = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} ${name}`;
    seconds += random.int(25, 140);
    return mark;
  });
  const content = [
    fill(random, voice, 'In this episode we look at {feature} and show how {part} helps when {activity}.'),
    `Chapters:\n\n${chapters.join('\n')}`,
    `Read more: https://${voice.domain}/docs`,
  ].join('\n\n');
  return { title, content, media: [{ type: 'image', url: mediaUrl(random, voice, title, 'jpg'), alt: title }] };
}

function entryTitle(random: Random, voice: Voice, kind: string): string {
  if (kind === 'security') return `Security update (${fictionalCve(random)})`;
  const frames: Record<string, string[]> = {
    feature: ['{Feature} in {part}', '{Feature} for {part}', '{Feature}', 'New: {feature}'],
    gain: ['Faster: {activity}', '{Part}, improved', 'Less waiting when {activity}'],
    fix: ['Fix for {activity}', 'Fixed: {problem}', 'Corrections to {part}'],
    deprecation: ['Upcoming change to `{setting}`', 'Deprecation of `{setting}`'],
  };
  return sentence(random, voice, frames[kind] ?? ['{Feature}']);
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

function decapitalise(text: string): string {
  return text.startsWith('`') ? text : text.charAt(0).toLowerCase() + text.slice(1);
}
