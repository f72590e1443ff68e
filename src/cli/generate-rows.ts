// Cheap rows in any number, for benchmarks: only their shape and word frequencies matter.
import { readFileSync } from 'node:fs';
import { CATEGORIES, type Category, type SourceType } from '../contract/enums.ts';
import type { ReleaseInput } from '../contract/release-input.ts';
import { createRandom, type Random } from '../domain/seeded-random.ts';

type BulkOrg = {
  slug: string;
  name: string;
  domain: string;
  description: string;
  category: Category;
  sources: BulkSource[];
};

type BulkSource = {
  // The position among all sources, which `bulkReleases` takes.
  index: number;
  slug: string;
  name: string;
  type: SourceType;
  url: string;
};

type BulkRelease = ReleaseInput & { content: string; fetchedAt: string };

const DAY_MS = 86_400_000;
const YEARS_MS = 5 * 365 * DAY_MS;
const VERBS = ['Add', 'Fix', 'Improve', 'Remove', 'Support', 'Update', 'Prevent', 'Allow', 'Handle', 'Rename'];
const HEADINGS = ['### Added', '### Fixed', '### Changed', '## Highlights', '## Bug fixes', "## What's Changed"];

// `count` orgs of one to four sources each.
export function bulkOrgs(count: number, seed: number): BulkOrg[] {
  const random = createRandom(`bulk-orgs/${seed}`);
  const words = lexicon().words;
  let index = 0;
  return Array.from({ length: count }, (_, position) => {
    const stem = words[random.int(200, words.length - 1)] ?? '';
    const slug = `${stem}-${(position + 1).toString(36)}`;
    const name = `${stem.charAt(0).toUpperCase()}${stem.slice(1)} ${position + 1}`;
    const sources = Array.from(
      {
        length: random.weighted([
          [1, 5],
          [2, 3],
          [3, 1],
          [4, 1],
        ]),
      },
      (_, nth): BulkSource => {
        const source = { index, slug: `${stem}-${nth + 1}`, name: `${name} ${nth + 1}`, ...bulkAddress(index) };
        index++;
        return source;
      },
    );
    const description = `${name} makes ${sampleWords(random, 6)}.`;
    return { slug, name, domain: `${slug}.example`, description, category: random.pick(CATEGORIES), sources };
  });
}

// `count` releases of one source over the five years before `now`, oldest first.
interface BulkBatch {
  sourceIndex: number;
  count: number;
  seed: number;
  now: Date;
}

export function bulkReleases({ sourceIndex, count, seed, now }: BulkBatch): BulkRelease[] {
  const random = createRandom(`bulk-releases/${seed}/${sourceIndex}`);
  const { url } = bulkAddress(sourceIndex);
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS;
  const gap = YEARS_MS / Math.max(1, count);
  let [major, minor, patch] = [random.int(0, 4), random.int(0, 9), 0];
  let candidate = 0;

  const releases: BulkRelease[] = [];
  for (let i = 0; i < count; i++) {
    // A pre-release precedes the patch with its number, so version numbers only rise.
    const isPrerelease = random.next() < 0.05;
    if (candidate === 0) {
      const draw = random.next();
      if (draw < 0.01) [major, minor, patch] = [major + 1, 0, 0];
      else if (draw < 0.25) [minor, patch] = [minor + 1, 0];
      else patch++;
    }
    candidate = isPrerelease ? candidate + 1 : 0;
    const version = `v${major}.${minor}.${patch}${isPrerelease ? `-rc.${candidate}` : ''}`;
    const at = new Date(today - YEARS_MS + Math.floor((i + random.next()) * gap)).toISOString();
    releases.push({
      title: random.next() < 0.3 ? `${version}: ${sampleWords(random, 4)}` : version,
      content: writeBody(random),
      version,
      url: `${url}/releases/tag/${version}`,
      publishedAt: at,
      prerelease: isPrerelease,
      fetchedAt: at,
    });
  }
  return releases;
}

// Type and URL follow from the index alone, so that releases can be generated without their source.
function bulkAddress(index: number): { type: SourceType; url: string } {
  const type = (['github', 'github', 'github', 'feed', 'scrape'] as const)[index % 5] ?? 'github';
  const host = type === 'github' ? 'https://github.com/fictional-bulk' : 'https://bulk.example';
  return { type, url: `${host}/s${index}` };
}

// The body has about 600 characters: headings, list items, identifiers, references.
function writeBody(random: Random): string {
  const lines = 3 + Math.floor(random.next() * 10);
  let text = random.next() < 0.5 ? `${HEADINGS[Math.floor(random.next() * HEADINGS.length)]}\n\n` : '';
  for (let i = 0; i < lines; i++) {
    const draw = random.next();
    text += `- ${VERBS[Math.floor(draw * VERBS.length)]} ${sampleWords(random, 5 + (Math.floor(draw * 997) % 9))}`;
    if (draw < 0.15) text += ` in \`${sampleWords(random, 2).replace(' ', '_')}\``;
    text += draw > 0.6 ? ` (#${Math.floor(draw * 10_000)})\n` : '\n';
  }
  return text;
}

// The words of generated releases, distributed as in natural language: few are common, most are rare.

function sampleWords(random: Random, count: number): string {
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
function lexicon(): Lexicon {
  if (cached) return cached;
  const common = 'the to for in of and with when a on from is now by after not be as an all'.split(' ');
  const technical = readFileSync(new URL('generate-words.txt', import.meta.url), 'utf8')
    .split(/\s+/)
    .filter(Boolean);
  const words = new Set([...common, ...createRandom('bulk-lexicon').shuffle(technical)]);
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
