import type { Context } from '../../context.ts';
import { minuteOfKey } from '../../domain/search-text/doc-key.ts';
import { recency, scorer, type WeighedGroup } from '../../domain/search-text/score.ts';
import type { Corpus, CorpusDocument } from './corpora.ts';
import { keyHistogram } from './key-histogram.ts';

export interface RankedDocument<C> {
  candidate: C;
  score: number;
}

type Score<C extends { docKey: number }> = (
  document: CorpusDocument<C>,
  groups: readonly WeighedGroup[],
) => RankedDocument<C>;

// The scoring function for the current state of the index.
export async function scoring<C extends { docKey: number }>(ctx: Context, corpus: Corpus<C>): Promise<Score<C>> {
  const { docs } = await keyHistogram(ctx, corpus.index);
  const nowMs = ctx.clock().getTime();
  let last: { groups: readonly WeighedGroup[]; score: ReturnType<typeof scorer> } | null = null;
  return ({ candidate, dated, text }, groups) => {
    if (last?.groups !== groups) last = { groups, score: scorer(groups, docs) };
    // The key contains the date in minutes.
    const atMs = dated ? minuteOfKey(candidate.docKey) * 60_000 : null;
    return { candidate, score: last.score(text) * recency(atMs, nowMs) };
  };
}

export function bestFirst<C extends { docKey: number }>(a: RankedDocument<C>, b: RankedDocument<C>): number {
  return b.score - a.score || b.candidate.docKey - a.candidate.docKey;
}
