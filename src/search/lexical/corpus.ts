import type { Context } from '../../context.ts';
import type { SearchFilter } from '../../domain/search-legs.ts';
import type { ScoredText } from '../../domain/search-text/score.ts';
import type { FullTextColumn, FullTextIndex } from '../../store/dialect.ts';

export interface CorpusDocument<Candidate extends { docKey: number }> {
  candidate: Candidate;
  /** Whether its key is a date of its own, by which it is new or old. */
  dated: boolean;
  text: ScoredText;
}

/** What is searched: an index of documents and the rows behind it. */
export interface Corpus<Candidate extends { docKey: number }> {
  index: FullTextIndex;
  /** Columns that say what a document is about. */
  head: readonly FullTextColumn[];
  /** Where one word, at least, counts almost as much; none: not asked for. */
  near: readonly FullTextColumn[];
  /** Characters of the text that can be read; 0 when the rows hold none. */
  readable: number;
  /** The rows of these keys that pass the filter as they are now. */
  read(
    ctx: Context,
    keys: readonly number[],
    options: { filter: SearchFilter; withContent: boolean },
  ): Promise<CorpusDocument<Candidate>[]>;
}
