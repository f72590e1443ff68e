// Collects the documents to rank: all matches when they are few, else the newest of a time window that costs a fixed amount of
// work, so that a search costs the same in a registry of any size.
import type { Context } from '../../context.ts';
import { searchQueries } from '../search-connection.ts';
import type { Corpus } from './corpora.ts';
import { countGroup } from './document-counts.ts';
import type { ScopeOfSearch } from './filter-terms.ts';
import type { ExpandedGroup } from './groups.ts';
import { costOf, keyHistogram, lowestKeyFor, WORK } from './key-histogram.ts';

export interface CollectedCandidates {
  keys: number[];
  // All matches were collected.
  complete: boolean;
  // The lowest key that was searched.
  lowestKey: number;
}

interface CollectInput {
  corpus: Pick<Corpus<never>, 'index' | 'head' | 'near'>;
  groups: readonly ExpandedGroup[];
  scope: ScopeOfSearch;
  // The collection stops at `enough` matches and takes at most `most`.
  enough: number;
  most: number;
  // With tiers, documents with the words in their head columns come first; without, only the date counts.
  tiers: boolean;
}

// When the first window finds too little, a second one reaches back four times as far.
const WINDOWS = [WORK, 4 * WORK];
// A window is divided by this number; its newest part shows how common matches are.
const SLICES = 16;
// Longer lists of filter values are not counted, because the count costs more than it is worth.
const COUNTED_VALUES = 8;

export async function collectCandidates(ctx: Context, input: CollectInput): Promise<CollectedCandidates> {
  const { corpus, groups, scope, enough, most, tiers } = input;
  const histogram = await keyHistogram(ctx, corpus.index);
  const rarest = Math.min(...groups.map(({ reach }) => reach), await rarestFilter(ctx, corpus, scope));
  const { entries, sparse } = costOf({
    rarest,
    entries: sum(groups.map((group) => group.entries)),
    lists: sum(groups.map(({ lists }) => lists)),
  });
  const keys: number[] = [];
  let complete = true;
  let maxKey = scope.maxKey;
  for (const work of WINDOWS) {
    const reached = lowestKeyFor(histogram, { entries, work, from: scope.maxKey });
    const minKey = Math.max(scope.minKey, reached);
    const sliceKey = Math.max(minKey, lowestKeyFor(histogram, { entries, work: WORK / SLICES, from: maxKey }));
    const part = await ctx.store.dialect.findCandidates(searchQueries(ctx), {
      index: corpus.index,
      groups: groups.map(({ all }) => all),
      tiers: tiers ? { head: corpus.head, near: corpus.near } : null,
      required: scope.required,
      excluded: scope.excluded,
      minKey,
      maxKey,
      most: most - keys.length,
      rarest,
      sparse,
      sliceKey: entries > WORK ? sliceKey : null,
      rows: ctx.config.searchRankCap,
    });
    keys.push(...part.keys);
    complete &&= part.complete;
    const { lowestKey } = part;
    if (minKey === scope.minKey) return { keys, complete, lowestKey };
    if (keys.length >= enough || !part.complete) return { keys, complete: false, lowestKey };
    maxKey = minKey - 1;
  }
  return { keys, complete: false, lowestKey: maxKey + 1 };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

async function rarestFilter(ctx: Context, corpus: CollectInput['corpus'], scope: ScopeOfSearch): Promise<number> {
  let rarest = Number.POSITIVE_INFINITY;
  for (const terms of scope.required) {
    if (terms.length === 0) return 0;
    if (terms.length > COUNTED_VALUES) continue;
    const group = terms.map((term) => ({ kind: 'exact' as const, term }));
    rarest = Math.min(rarest, (await countGroup(ctx, corpus.index, group)).docs);
  }
  return rarest;
}
