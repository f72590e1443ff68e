// The minimum scores of the search.
import type { SearchMode } from '../../src/contract/search.ts';
import type { QuerySort } from './judged-set.ts';
import type { Figures, Measured } from './measure.ts';

interface Bar {
  name: string;
  holds: boolean;
  figures: string;
}

const BELOW_BETTER_RETRIEVER = 0.98;
const RIGHT_FIRST = 0.99;
const WORDS_RECALL = 0.99;
const OF_NAMED = 0.6;

// The minimum scores that the set can measure.
export function barsOf(measured: Measured): Bar[] {
  const of = (mode: SearchMode, sort: QuerySort | 'all'): Figures | undefined => measured.get(mode)?.get(sort);
  const bars: Bar[] = [];
  const add = (name: string, value: number, least: number, strictly = false) => {
    const holds = strictly ? value > least : value >= least;
    bars.push({ name, holds, figures: `${value.toFixed(3)} against ${least.toFixed(3)}` });
  };
  const [lexical, semantic, hybrid] = [of('lexical', 'all'), of('semantic', 'all'), of('hybrid', 'all')];
  if (lexical && semantic && hybrid) {
    const better = Math.max(lexical.ndcg10, semantic.ndcg10);
    add('nDCG@10 of hybrid at most 2 % below the better retriever', hybrid.ndcg10, better * BELOW_BETTER_RETRIEVER);
  }
  const paraphrase = of('hybrid', 'paraphrase');
  const inWords = of('lexical', 'paraphrase');
  const inMeaning = of('semantic', 'paraphrase');
  if (paraphrase && inWords)
    add('paraphrases: nDCG@10 of hybrid above lexical', paraphrase.ndcg10, inWords.ndcg10, true);
  if (paraphrase && inMeaning)
    add('paraphrases: recall@10 of hybrid as of meaning alone', paraphrase.recall10, inMeaning.recall10);
  const identifier = of('hybrid', 'identifier');
  if (identifier) add('identifiers: the right release first', identifier.first, RIGHT_FIRST);
  for (const mode of ['lexical', 'hybrid'] as const) {
    const words = of(mode, 'words');
    if (words) add(`rare words: recall@10, ${mode}`, words.recall10, WORDS_RECALL);
  }
  const name = of('hybrid', 'name');
  if (name) add('names: share of the first five', name.ofFive, OF_NAMED);
  return bars;
}
