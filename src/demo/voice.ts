// Who speaks in the notes of a source.
import { AREAS } from './areas.ts';
import { AUTHORS } from './frames.ts';
import type { Area } from './phrases.ts';
import type { Random } from './random.ts';

// What a source speaks about and has already said.
export interface Voice {
  random: Random;
  area: Area;
  parts: string[];
  // Name shown to people.
  product: string;
  // Web address of the repository, or of the site for sources without one.
  home: string;
  domain: string;
  // How many changes a release holds, relative to others.
  detail: number;
  authors: string[];
  // Lines already written: a source that repeats itself reads like a machine.
  said: Set<string>;
  pullRequest: number;
}

type VoiceInput = Pick<Voice, 'random' | 'product' | 'home' | 'domain' | 'detail'> & {
  category: keyof typeof AREAS;
  ownParts: string[];
  // Whether it has no other parts than its own.
  isNarrow: boolean;
};

export function createVoice({ category, ownParts, isNarrow, ...voice }: VoiceInput): Voice {
  const area = AREAS[category];
  return {
    ...voice,
    area,
    // The org's own parts come twice as often as those of its field.
    parts: isNarrow ? ownParts : [...ownParts, ...ownParts, ...area.parts],
    authors: voice.random.sample(AUTHORS, 5),
    said: new Set(),
    pullRequest: voice.random.int(120, 2400),
  };
}
