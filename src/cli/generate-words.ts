// The words of generated releases, distributed as in natural language: few are common, most are rare.
import { AREAS } from '../demo/areas.ts';
import { createRandom, type Random } from '../demo/random.ts';

export function sampleWords(random: Random, count: number): string {
  const { words, table } = lexicon();
  let text = '';
  for (let i = 0; i < count; i++) {
    const word = words[table[Math.floor(random.next() * table.length)] ?? 0] ?? '';
    text = i === 0 ? word : `${text} ${word}`;
  }
  return text;
}

type Lexicon = { words: string[]; table: Uint16Array };

let cached: Lexicon | undefined;

const LEXICON_SIZE = 9_000;

const TABLE_SIZE = 1 << 17;

// Words by rank, and a table in which each word has slots by Zipf's law, so that a draw is one lookup.
export function lexicon(): Lexicon {
  if (cached) return cached;
  const common = 'the to for in of and with when a on from is now by after not be as an all'.split(' ');
  const areas = Object.values(AREAS).flatMap((area) => [
    ...area.features,
    ...area.parts,
    ...area.activities,
    ...area.problems,
  ]);
  const technical = areas.flatMap((phrase) => phrase.toLowerCase().match(/[a-z]{3,}/g) ?? []);
  const words = new Set([...common, ...createRandom('bulk-lexicon').shuffle([...new Set(technical)])]);
  const random = createRandom('bulk-tail');
  while (words.size < LEXICON_SIZE) words.add(inventWord(random));

  const weights = Array.from({ length: LEXICON_SIZE }, (_, rank) => 1 / (rank + 2.7) ** 1.02);
  const sum = weights.reduce((a, b) => a + b, 0);
  const table = new Uint16Array(TABLE_SIZE);
  let reached = 0;
  let filled = 0;
  weights.forEach((weight, rank) => {
    reached += (weight / sum) * TABLE_SIZE;
    while (filled < Math.min(reached, TABLE_SIZE)) table[filled++] = rank;
  });
  cached = { words: [...words], table };
  return cached;
}

const ONSETS = 'b br c cl d dr f g gr h k l m n p pl r s st t v'.split(' ');

const VOWELS = ['a', 'e', 'i', 'o', 'u', 'ai', 'ea', 'io'];

const CODAS = ['', 'n', 'r', 's', 'l', 'm', 't', 'nd', 'st', 'x'];

function inventWord(random: Random): string {
  const syllable = () => random.pick(ONSETS) + random.pick(VOWELS) + random.pick(CODAS);
  return Array.from({ length: random.int(2, 3) }, syllable).join('');
}
