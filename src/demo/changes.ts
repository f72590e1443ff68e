import type { Random } from './random.ts';
import * as frames from './vocabulary.ts';
import type { Area } from './vocabulary-areas.ts';

// What a source speaks about and has already said.
export type Voice = {
  area: Area;
  parts: string[];
  // Name shown to people.
  product: string;
  // Web address of the repository, or of the site for sources without one.
  home: string;
  domain: string;
  repo: string | null;
  authors: string[];
  // How many changes a release holds, relative to others.
  detail: number;
  // Lines already written: a source that repeats itself reads like a machine.
  said: Set<string>;
  pullRequest: number;
};

export type Mood = 'past' | 'imperative';
type ChangeKind = 'feature' | 'fix' | 'gain' | 'chore' | 'deprecation' | 'security';
export type Change = { kind: ChangeKind; text: string };

export type BreakingChange = { text: string; migration: string; before: string; after: string };

const FRAMES: Record<'feature' | 'fix' | 'gain', Record<Mood, string[]>> = {
  feature: { past: frames.FEATURES_PAST, imperative: frames.FEATURES_IMPERATIVE },
  fix: { past: frames.FIXES_PAST, imperative: frames.FIXES_IMPERATIVE },
  gain: { past: frames.GAINS_PAST, imperative: frames.GAINS_IMPERATIVE },
};

export function createVoice(
  random: Random,
  area: Area,
  options: Pick<Voice, 'product' | 'home' | 'domain' | 'repo' | 'detail'> & { parts: string[]; onlyParts: boolean },
): Voice {
  return {
    area,
    product: options.product,
    home: options.home,
    domain: options.domain,
    repo: options.repo,
    detail: options.detail,
    // The org's own parts come twice as often as those of its field.
    parts: options.onlyParts ? options.parts : [...options.parts, ...options.parts, ...area.parts],
    authors: random.sample(frames.AUTHORS, 5),
    said: new Set(),
    pullRequest: random.int(120, 2400),
  };
}

export function drawChange(random: Random, voice: Voice, kind: ChangeKind, mood: Mood): Change {
  if (kind === 'deprecation') return { kind, text: deprecation(random, voice, mood) };
  if (kind === 'security') return { kind, text: security(random, voice, mood) };
  if (kind === 'chore') return { kind, text: sentence(random, voice, frames.CHORES) };
  return { kind, text: sentence(random, voice, FRAMES[kind][mood]) };
}

// A new sentence when one can be found. A frame gets several tries, or those with most room would win.
export function sentence(random: Random, voice: Voice, from: readonly string[]): string {
  let frame = random.pick(from);
  let text = fill(random, voice, frame);
  for (let tries = 1; tries < 16 && voice.said.has(text); tries++) {
    if (tries % 4 === 0) frame = random.pick(from);
    text = fill(random, voice, frame);
  }
  voice.said.add(text);
  return text;
}

// Slot values that the sentences of one text share.
type Subject = Map<string, string>;

// A subject whose title is new, and the frames that go with it.
export function drawSubject<Frames extends readonly [title: string, ...rest: string[]]>(
  random: Random,
  voice: Voice,
  from: readonly Frames[],
): { subject: Subject; title: string; frames: Frames } {
  for (let tries = 0; ; tries++) {
    const frames = random.pick(from);
    const subject: Subject = new Map();
    const title = fill(random, voice, frames[0], subject);
    if (tries < 12 && voice.said.has(title)) continue;
    voice.said.add(title);
    return { subject, title, frames };
  }
}

export function drawBreaking(random: Random, voice: Voice, mood: Mood): BreakingChange {
  const [from = 'mode', to = 'profile'] = random.sample(voice.area.settings, 2);
  const command = random.pick(voice.area.commands);
  const part = random.pick(voice.parts);
  const renamed = renamedSetting(from);
  const variant = random.pick(['rename', 'default', 'required', 'removed', 'shape'] as const);
  const imperative = mood === 'imperative';

  if (variant === 'rename') {
    return {
      text: imperative ? `rename \`${from}\` to \`${renamed}\`` : `Renamed \`${from}\` to \`${renamed}\`.`,
      migration: `Replace \`${from}\` with \`${renamed}\` in your configuration.`,
      before: `${from}: 30`,
      after: `${renamed}: 30`,
    };
  }
  if (variant === 'default') {
    return {
      text: imperative
        ? `change the default of \`${from}\` to \`strict\``
        : `\`${from}\` now defaults to \`strict\` instead of \`lenient\`.`,
      migration: `Set \`${from}: lenient\` to keep the earlier behaviour.`,
      before: `# ${from} was lenient`,
      after: `${from}: lenient`,
    };
  }
  if (variant === 'required') {
    return {
      text: imperative ? `require \`${from}\` for ${part}` : `\`${from}\` is now required by ${part}.`,
      migration: `Set \`${from}\` next to \`${to}\` before you upgrade.`,
      before: `${to}: auto`,
      after: `${to}: auto\n${from}: 10`,
    };
  }
  if (variant === 'removed') {
    return {
      text: imperative ? `remove the \`${command}\` alias` : `Removed the deprecated short form of \`${command}\`.`,
      migration: `Use \`${command} --all\` instead.`,
      before: `${command.split(' ')[0]} -a`,
      after: `${command} --all`,
    };
  }
  return {
    text: imperative
      ? `return an object from ${part}`
      : `${capitalise(part)} no longer returns a bare list; entries are under \`items\`.`,
    migration: 'Change code that reads the list to read `items`.',
    before: '[{ "id": 7 }]',
    after: '{ "items": [{ "id": 7 }], "next": null }',
  };
}

// Fills the slots of a frame; a subject keeps what it was given before.
export function fill(random: Random, voice: Voice, frame: string, subject?: Subject): string {
  return frame.replaceAll(/\{(\w+)\}/g, (_, slot: string) => {
    const name = slot.toLowerCase();
    const value = subject?.get(name) ?? slotValue(random, voice, name);
    subject?.set(name, value);
    return slot === name ? value : capitalise(value);
  });
}

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// Numbers of year 2099 belong to nobody.
export function fictionalCve(random: Random): string {
  return `CVE-2099-${random.int(10000, 99999)}`;
}

function slotValue(random: Random, voice: Voice, slot: string): string {
  const { area } = voice;
  if (slot === 'feature') return random.pick(area.features);
  if (slot === 'part') return random.pick(voice.parts);
  if (slot === 'activity') return random.pick(area.activities);
  if (slot === 'problem') return random.pick(area.problems);
  if (slot === 'gain') return random.pick(area.gains);
  if (slot === 'setting') return random.pick(area.settings);
  if (slot === 'command') return random.pick(area.commands);
  if (slot === 'percent') return String(random.int(2, 14) * 5);
  if (slot === 'circumstance') return random.pick(frames.CIRCUMSTANCES);
  if (slot === 'audience') return random.pick(frames.AUDIENCES);
  if (slot === 'flaw') return fill(random, voice, random.pick(frames.FLAWS));
  if (slot === 'product') return voice.product;
  throw new Error(`unknown slot ${slot}`);
}

function deprecation(random: Random, voice: Voice, mood: Mood): string {
  const setting = random.pick(voice.area.settings);
  const renamed = renamedSetting(setting);
  return mood === 'imperative'
    ? `deprecate \`${setting}\` in favour of \`${renamed}\``
    : `\`${setting}\` is deprecated and will go in the next major version; use \`${renamed}\` instead.`;
}

function security(random: Random, voice: Voice, mood: Mood): string {
  const flaw = fill(random, voice, random.pick(frames.FLAWS));
  const id = fictionalCve(random);
  const severity = random.pick(['low', 'moderate', 'high', 'critical']);
  return mood === 'imperative' ? `fix ${flaw} (${id})` : `Fixed ${flaw} (${id}, ${severity} severity).`;
}

// Keeps the spelling of the field: snake case or camel case.
export function renamedSetting(setting: string): string {
  return setting.includes('_') || setting === setting.toLowerCase() ? `${setting}_policy` : `${setting}Policy`;
}
