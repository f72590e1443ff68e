// Notes in prose about one thing: blog posts and entries of changelog pages.
import { configBlock, join, list, measurementTable, mediaOf, type Notes, pictures } from './blocks.ts';
import { drawChanges, drawSubject, fill } from './changes.ts';
import { CLOSINGS, DETAILS, ENTRIES, POSTS, REASONS } from './post-frames.ts';
import type { PlannedRelease } from './timeline.ts';
import type { DemoMedia } from './types.ts';
import type { Voice } from './voice.ts';

// A blog post about something new.
export function writeLaunch(voice: Voice): Notes {
  const { random } = voice;
  const unwritten = voice.area.launches.filter(([title]) => !voice.said.has(title));
  const isWritten = unwritten.length > 0 && random.chance(0.5);
  const { subject, title, lead } = drawSubject(voice, isWritten ? unwritten : POSTS);
  const media = drawMedia(voice, subject.get('feature') ?? title, 0.5);
  const [reason, secondReason] = random.sample(REASONS, 2);
  const [detail = '', secondDetail = ''] = random.sample(DETAILS, 2);
  const content = join([
    `${lead} ${reason}`,
    ...pictures(media),
    // A hand-written lead names its own subject; details about a drawn one would contradict it.
    isWritten ? secondReason : fill(voice, detail, subject),
    !isWritten && random.chance(0.5) && `${secondReason} ${fill(voice, secondDetail, subject)}`,
    random.pick(['## What you get', '## In detail', '## Also new']),
    list(drawChanges(voice, 'feature', [2, 4])),
    random.chance(0.3) && `## Try it\n\n${configBlock(voice)}`,
    random.chance(0.2) && `## The numbers\n\n${measurementTable(voice)}`,
    random.pick(CLOSINGS),
  ]);
  return { title, content, media };
}

// A post about a release that another source already has: coverage of the same launch.
export function writeLaunchOf(voice: Voice, release: { number: string; url: string }): Notes {
  const name = `${voice.product} ${release.number.split('.').slice(0, 2).join('.')}`;
  const media = drawMedia(voice, name, 0.6);
  const content = join([
    `${name} is out. ${voice.random.pick(REASONS)}`,
    ...pictures(media),
    list(drawChanges(voice, 'feature', [3, 3])),
    `The full list is in the [release notes](${release.url}).`,
    voice.random.pick(CLOSINGS),
  ]);
  return { title: voice.random.pick([`${name} is here`, `Announcing ${name}`]), content, media };
}

// A short entry of a changelog page.
export function writeEntry(voice: Voice, { tag }: PlannedRelease): Notes {
  const { random } = voice;
  const kind = random.weighted([
    ['feature', 50],
    ['gain', 25],
    ['fix', 17],
    ['security', 4],
    ['deprecation', 4],
  ] as const);
  const { subject, title, lead } = drawSubject(voice, ENTRIES[kind]);
  const media = drawMedia(voice, subject.get('feature') ?? title, 0.12);
  const more = drawChanges(voice, 'fix', [0, 2]);
  const content = join([
    lead,
    random.chance(0.4) && random.pick(REASONS),
    ...pictures(media),
    more.length > 0 && `**Also in this update**\n\n${list(more)}`,
    random.chance(0.3) && random.pick(CLOSINGS),
  ]);
  return {
    title: tag !== null && random.chance(0.4) ? tag : title,
    content,
    media,
    ...(kind === 'deprecation' && { breaking: 'minor' }),
  };
}

function drawMedia(voice: Voice, subject: string, probability: number): DemoMedia[] {
  if (!voice.random.chance(probability)) return [];
  const type = voice.random.weighted([
    ['image', 70],
    ['gif', 16],
    ['video', 14],
  ] as const);
  return [mediaOf(voice, type, subject)];
}
