// The entries that were sampled for labelling. The sample depends on names and versions only, so that it can be
// repeated.
import { createHash } from 'node:crypto';
import type { CorpusEntry } from './corpus.ts';

export type Stratum = 'random' | 'words' | 'strong';

const EACH = 3;
const MIN_BODY_LENGTH = 15;
// Words that occur in breaking changes as often as in others.
const NEUTRAL_WORDS =
  /\b(?:remov|drop|delet|renam|requir|default|no longer|chang|breaking|deprecat|incompatib|instead|must|replac|moved?\b|disabl|stop|upgrad|migrat|minimum|signature|not export|strict|throw)/i;

// Words that occur in most breaking changes, and in many others.
const STRONG_WORDS =
  /\b(?:remov(?:e[sd]?|al|ing)\b|drop(?:s|ped|ping)?\b|no longer|renam|breaking|incompatib|compatibility|requires?\b|required|defaults?\b)/i;

interface Drawn {
  entry: CorpusEntry;
  stratum: Stratum;
}

// Of each package 3 entries of any kind; 3 outside major steps that hold one of the neutral words; 3 outside major steps
// that hold one of the strong words. The first kind tells how often a verdict is right, the others give enough breaks to
// count what is missed.
export function drawSample(corpus: ReadonlyMap<string, readonly CorpusEntry[]>): Drawn[] {
  return [...corpus.values()].flatMap((entries) => {
    const shuffled = entries
      .filter(({ body }) => body.trim().length >= MIN_BODY_LENGTH)
      .map((entry) => ({ entry, key: hashOf(`${entry.package} ${entry.version}`) }))
      .sort((a, b) => (a.key < b.key ? -1 : 1))
      .map(({ entry }) => entry);
    const random = shuffled.slice(0, EACH);
    const holding = (words: RegExp, drawn: ReadonlySet<CorpusEntry>) =>
      shuffled.filter((entry) => !drawn.has(entry) && entry.step !== 'major' && words.test(entry.body)).slice(0, EACH);
    const worded = holding(NEUTRAL_WORDS, new Set(random));
    const strong = holding(STRONG_WORDS, new Set([...random, ...worded]));
    return [
      ...random.map((entry): Drawn => ({ entry, stratum: 'random' })),
      ...worded.map((entry): Drawn => ({ entry, stratum: 'words' })),
      ...strong.map((entry): Drawn => ({ entry, stratum: 'strong' })),
    ];
  });
}

// All entries of a package are in the same part; the entries of the scored part are never shown.
export function partOf(name: string): 'working' | 'scored' {
  return Number.parseInt(hashOf(`part of ${name}`).slice(0, 2), 16) % 2 === 0 ? 'working' : 'scored';
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
