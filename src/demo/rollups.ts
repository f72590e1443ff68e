// Notes in prose about many things: rollups of a period, store notes and videos.
import { join, list, mediaOf, type Notes, pictures } from './blocks.ts';
import { capitalise, drawChange, drawChanges, drawSubject, fill, sentence } from './changes.ts';
import { DETAILS, STORE, VIDEOS } from './post-frames.ts';
import type { PlannedRelease } from './timeline.ts';
import type { DemoMedia } from './types.ts';
import type { Voice } from './voice.ts';

// What happened in a quarter, a month or a week.
export function writeRollup(voice: Voice, planned: PlannedRelease): Notes {
  const { random } = voice;
  const media: DemoMedia[] = [];
  const topics = random.sample(voice.area.features, random.int(3, 5)).map((feature) => {
    const picture = random.chance(0.2) ? [mediaOf(voice, 'image', feature)] : [];
    media.push(...picture);
    return join([
      `## ${capitalise(feature)}`,
      fill(voice, `{Part} now has {feature}, {audience}. ${random.pick(DETAILS)}`, new Map([['feature', feature]])),
      random.chance(0.4) && drawChange(voice, 'gain', 'past'),
      ...pictures(picture),
    ]);
  });
  const content = join([...topics, '## Fixes', list(drawChanges(voice, 'fix', [3, 8]))]);
  return { title: periodTitle(voice, planned), content, media, type: 'rollup' };
}

export function writeStoreNotes(voice: Voice, { step, number }: PlannedRelease): Notes {
  const { random, product, domain } = voice;
  const title = `${product} ${number}`;
  if (step === 'patch' && random.chance(0.35)) return { title, content: random.pick(STORE.boilerplate) };
  const marks = random.chance(0.4) ? ['✨', '🛠', '🎨', '⚡'] : ['•'];
  const items = [STORE.features, STORE.fixes].flatMap((frames) =>
    Array.from({ length: random.int(1, 3) }, () => `${random.pick(marks)} ${sentence(voice, frames)}`),
  );
  const content = join([
    fill(voice, random.pick(STORE.openings)),
    items.join('\n'),
    random.chance(0.4) && `Questions? Write to us at help@${domain}`,
  ]);
  return { title, content, media: random.chance(0.12) ? [mediaOf(voice, 'image', title)] : [] };
}

export function writeVideo(voice: Voice): Notes {
  const { random } = voice;
  const { title, lead } = drawSubject(voice, VIDEOS);
  let seconds = 0;
  const names = ['Hello', ...random.sample(voice.area.features, 3).map(capitalise), 'Where to go next'];
  const chapters = names.map((name) => {
    const mark = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')} ${name}`;
    seconds += random.int(25, 140);
    return mark;
  });
  const content = join([lead, 'Chapters:', chapters.join('\n'), `Read more: https://${voice.domain}/docs`]);
  return { title, content, media: [mediaOf(voice, 'image', title)] };
}

function periodTitle({ product }: Voice, { at, number, period, periodIndex }: PlannedRelease): string {
  const date = new Date(at);
  const year = date.getUTCFullYear();
  const month = date.toLocaleString('en-US', { month: 'long', timeZone: 'UTC' });
  if (number) return `${product} ${number} (${month} ${year})`;
  if (period === 'week') return `Weekly update #${periodIndex}`;
  if (period === 'quarter') {
    const season = ['Winter', 'Spring', 'Summer', 'Autumn'][Math.floor(date.getUTCMonth() / 3)];
    return `${season} '${String(year).slice(2)} release`;
  }
  // A product stays with one form of title.
  const forms = [`${month} ${year} Update`, `What's new in ${month} ${year}`, `${month} ${year}`];
  return forms[product.length % forms.length] ?? month;
}
