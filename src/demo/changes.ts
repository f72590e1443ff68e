// Draws sentences about a product from the frames and the words of its field.
import * as frames from './frames.ts';
import type { Voice } from './voice.ts';

export function drawChange(voice: Voice, kind: frames.ChangeKind, mood: frames.Mood): string {
  return sentence(voice, frames.CHANGES[kind][mood]);
}

export function drawChanges(voice: Voice, kind: frames.ChangeKind, [min, max]: readonly [number, number]): string[] {
  return Array.from({ length: voice.random.int(min, max) }, () => drawChange(voice, kind, 'past'));
}

// A new sentence when one can be found. A frame gets several tries, or those with most room would win.
export function sentence(voice: Voice, from: readonly string[]): string {
  let frame = voice.random.pick(from);
  let text = fill(voice, frame);
  for (let tries = 1; tries < 16 && voice.said.has(text); tries++) {
    if (tries % 4 === 0) frame = voice.random.pick(from);
    text = fill(voice, frame);
  }
  voice.said.add(text);
  return text;
}

// Slot values that the sentences of one text share.
type Subject = Map<string, string>;

// A subject whose title is new, and the sentence that goes with it.
export function drawSubject(voice: Voice, from: readonly (readonly [title: string, lead: string])[]) {
  for (let tries = 0; ; tries++) {
    const [frame, lead] = voice.random.pick(from);
    const subject: Subject = new Map();
    const title = fill(voice, frame, subject);
    if (tries < 12 && voice.said.has(title)) continue;
    voice.said.add(title);
    return { subject, title, lead: fill(voice, lead, subject) };
  }
}

export type BreakingChange = Omit<frames.BreakingFrame, frames.Mood> & { text: string };

// Up to `count` changes that ask for different things.
export function drawBreaking(voice: Voice, mood: frames.Mood, count: number): BreakingChange[] {
  const found = new Map<string, BreakingChange>();
  for (let tries = 0; tries < count * 3 && found.size < count; tries++) {
    const frame = voice.random.pick(frames.BREAKING);
    const subject: Subject = new Map();
    const [text = '', migration = '', before = '', after = ''] = [
      frame[mood],
      frame.migration,
      frame.before,
      frame.after,
    ].map((part) => fill(voice, part, subject));
    found.set(migration, { text, migration, before, after });
  }
  return [...found.values()];
}

export function fill(voice: Voice, frame: string, subject: Subject = new Map()): string {
  return frame.replaceAll(/\{(\w+)\}/g, (_, slot: string) => {
    const name = slot.toLowerCase();
    const value = subject.get(name) ?? slotValue(voice, name, subject);
    subject.set(name, value);
    return slot === name ? value : capitalise(value);
  });
}

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const SLOTS: Record<string, (voice: Voice, subject: Subject) => string> = {
  feature: ({ random, area }) => random.pick(area.features),
  part: ({ random, parts }) => random.pick(parts),
  activity: ({ random, area }) => random.pick(area.activities),
  problem: ({ random, area }) => random.pick(area.problems),
  gain: ({ random, area }) => random.pick(area.gains),
  setting: ({ random, area }) => random.pick(area.settings),
  // Keeps the spelling of the field: snake case or camel case.
  renamed: (_, subject) => {
    const setting = subject.get('setting') ?? '';
    return setting === setting.toLowerCase() ? `${setting}_policy` : `${setting}Policy`;
  },
  other: ({ random, area }, subject) => random.pick(area.settings.filter((name) => name !== subject.get('setting'))),
  command: ({ random, area }) => random.pick(area.commands),
  percent: ({ random }) => String(random.int(2, 14) * 5),
  circumstance: ({ random }) => random.pick(frames.CIRCUMSTANCES),
  audience: ({ random }) => random.pick(frames.AUDIENCES),
  flaw: (voice) => fill(voice, voice.random.pick(frames.FLAWS)),
  // Numbers of year 2099 belong to nobody.
  cve: ({ random }) => `CVE-2099-${random.int(10000, 99999)}`,
  severity: ({ random }) => random.pick(['low', 'moderate', 'high', 'critical']),
  product: ({ product }) => product,
};

function slotValue(voice: Voice, slot: string, subject: Subject): string {
  const draw = SLOTS[slot];
  if (!draw) throw new Error(`unknown slot ${slot}`);
  return draw(voice, subject);
}
