// How many documents have a term, counted once an hour in each process.
import type { Context } from '../../context.ts';
import type { QueryGroup } from '../../domain/search-text/query-terms.ts';
import type { SearchQuery } from '../../domain/search-text/search-query.ts';
import type { FullTextIndex } from '../../store/dialect.ts';
import { searchQueries } from '../search-connection.ts';
import { cachedAnswers } from './answer-cache.ts';
import { type Cost, costOf, keyHistogram, lowestKeyFor } from './key-histogram.ts';

// An estimate of how many documents match a group, and of the cost of finding them.
export interface GroupCount {
  // The number of matching documents; exact when it is small.
  docs: number;
  // How many documents have the rarest word of a phrase; equal to `docs` for single words and names.
  reach: number;
  // The cost of reading the entries of all words, and the number of their lists.
  entries: number;
  lists: number;
}

const COUNTED_WORDS = 8;
// Reading the positions of a word costs as much as reading its entries.
const IN_PHRASE = 2;
const NO_COST: Cost = { entries: 0, sparse: false };
// Rare terms are counted again sooner, because they may become common and are cheap to count.
const RARE = 1_000;
const cached = cachedAnswers<number>({ maxAgeMs: (docs) => (docs < RARE ? 60_000 : 3_600_000), most: 20_000 });

export async function countGroup(ctx: Context, index: FullTextIndex, group: QueryGroup): Promise<GroupCount> {
  let [reach, entries, phrases, lists] = [0, 0, 0, 0];
  for (const term of group) {
    lists += term.kind === 'phrase' ? term.words.length : 1;
    if (term.kind !== 'phrase' || term.words.length < 2) continue;
    // The first few words are enough to estimate the cost of a long phrase.
    const words = [...new Set(term.words)].slice(0, COUNTED_WORDS);
    const docs = await Promise.all(
      words.map((word) => documentCount(ctx, index, [{ kind: 'phrase', words: [word] }], NO_COST)),
    );
    reach += Math.min(...docs);
    entries += IN_PHRASE * docs.reduce((sum, count) => sum + count, 0);
    phrases += 1;
  }
  // Terms that are no phrases cost their own entries, which are never more than their matches.
  const cost = phrases === group.length ? costOf({ rarest: reach, entries, lists }) : { entries, sparse: false };
  const docs = await documentCount(ctx, index, group, cost);
  const single = phrases === group.length ? 0 : docs;
  return { docs, reach: reach + single, entries: entries + single, lists };
}

function documentCount(ctx: Context, index: FullTextIndex, group: QueryGroup, cost: Cost): Promise<number> {
  return cached(ctx, `${index} ${JSON.stringify(group)}`, () => count(ctx, index, group, cost));
}

async function count(ctx: Context, index: FullTextIndex, group: QueryGroup, cost: Cost): Promise<number> {
  const histogram = await keyHistogram(ctx, index);
  const minKey = lowestKeyFor(histogram, cost);
  const requested = { index, group, minKey, sparse: cost.sparse, docs: histogram.docs };
  const { docs, lowestKey } = await ctx.store.dialect.countDocuments(searchQueries(ctx), requested);
  const lowest = Math.max(lowestKey ?? 0, minKey);
  return lowest === 0 ? docs : Math.max(docs, Math.round(docs / histogram.shareAbove(lowest)));
}

const INDEXES: readonly FullTextIndex[] = ['releases', 'chunks'];

// Whether no document contains the identifier of the query in any of its accepted spellings.
export async function isIdentifierMissing(ctx: Context, { groups }: SearchQuery): Promise<boolean> {
  const names = groups.filter(({ sort }) => sort === 'hard');
  const missing = await Promise.all(
    names.map(async ({ loose }) => {
      const counts = await Promise.all(INDEXES.map((index) => countGroup(ctx, index, loose)));
      return counts.every(({ docs }) => docs === 0);
    }),
  );
  return missing.includes(true);
}
