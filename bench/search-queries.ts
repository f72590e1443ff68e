// A mixed set of queries made of a registry's own words: names, identifiers, pairs, prefixes, phrases; every second one
// has a common word in it. The same registry gives the same set.
import type { Context } from '../src/context.ts';
import { createRandom, type Random } from '../src/demo/random.ts';
import { foldText, wordsOf } from '../src/domain/search-text/fold.ts';
import { isStopWord } from '../src/domain/search-text/stop-words.ts';

interface Material {
  common: string[];
  middle: string[];
  rare: string[];
  texts: { title: string; version: string | null; content: string }[];
  names: string[];
}

const COMMON = 60;
const MIDDLE = 1_500;

export async function searchQueries(ctx: Context, count: number): Promise<string[]> {
  const material = await materialOf(ctx);
  const random = createRandom('search-queries');
  const kinds: ((random: Random, material: Material) => string)[] = [
    (r, m) => r.pick(m.common),
    (r, m) => `${r.pick(m.common)} ${r.pick(m.middle)}`,
    (r, m) => `${r.pick(m.common)} ${r.pick(m.common)}`,
    (r, m) => `${r.pick(m.common)} ${r.pick(m.middle)} ${r.pick(m.rare)}`,
    (r, m) => `${r.pick(m.common)} ${prefix(r, r.pick(m.middle))}`,
    (r, m) => r.pick(m.names),
    (r, m) => identifier(r, m),
    (r, m) => `${r.pick(m.middle)} ${r.pick(m.middle)}`,
    (r, m) => prefix(r, r.pick([...m.middle, ...m.common])),
    (r, m) => phrase(r, m),
    (r, m) => r.pick(m.rare),
  ];
  // Five kinds with a common word and six without; the first five are taken as often as the others together.
  return Array.from({ length: count }, (_, at) => {
    const kind = at % 2 === 0 ? kinds[(at / 2) % 5] : kinds[5 + (((at - 1) / 2) % 6)];
    return kind?.(random, material) ?? '';
  });
}

async function materialOf(ctx: Context): Promise<Material> {
  const words = (
    await ctx.store.read
      .selectFrom('search_words')
      .select('word')
      .orderBy('docs', 'desc')
      .orderBy('word')
      .limit(6_000)
      .execute()
  )
    .map(({ word }) => word)
    .filter((word) => !isStopWord(word));
  const newest = await ctx.store.read
    .selectFrom('releases')
    .select(({ fn }) => fn.max('seq').as('seq'))
    .executeTakeFirst();
  const last = Number(newest?.seq ?? 0);
  const seqs = Array.from({ length: 400 }, (_, at) => Math.max(1, Math.floor(((at + 1) * last) / 400)));
  const texts = await ctx.store.read
    .selectFrom('releases')
    .select(['title', 'version', 'content'])
    .where('seq', 'in', seqs)
    .execute();
  const orgs = await ctx.store.read.selectFrom('orgs').select('name').orderBy('id').limit(200).execute();
  return {
    common: words.slice(0, COMMON),
    middle: words.slice(COMMON, MIDDLE),
    rare: words.slice(MIDDLE),
    texts,
    names: orgs.map(({ name }) => name),
  };
}

function prefix(random: Random, word: string): string {
  return word.slice(0, random.int(3, Math.max(3, word.length - 1)));
}

function identifier(random: Random, { texts }: Material): string {
  const { version, content } = random.pick(texts);
  const found = content.match(/#\d+|\b[a-z]+_[a-z]+\b/g) ?? [];
  return found.length > 0 && random.next() < 0.5 ? (found[0] ?? '') : (version ?? '1.0.0');
}

function phrase(random: Random, { texts }: Material): string {
  const words = wordsOf(foldText(random.pick(texts).content));
  const at = random.int(0, Math.max(0, words.length - 3));
  return `"${words.slice(at, at + 2).join(' ')}"`;
}
