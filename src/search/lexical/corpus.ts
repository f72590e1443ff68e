import type { Context } from '../../context.ts';
import type { ScoredText } from '../../domain/search-text/score.ts';
import type { FullTextColumn, FullTextIndex } from '../../store/dialect.ts';

export interface FoundDocument {
  key: number;
  /** Whether its key is a date of its own, by which it is new or old. */
  dated: boolean;
  text: ScoredText;
  orgId: string | null;
  productId: string | null;
  sourceId: string;
}

/** What is searched: an index of documents and the rows behind it. */
export interface Corpus {
  index: FullTextIndex;
  /** So many are ranked. */
  candidates: number;
  /** Columns that say what a document is about. */
  head: readonly FullTextColumn[];
  /** Where one word, at least, counts almost as much; none: not asked for. */
  near: readonly FullTextColumn[];
  /** Characters of the text that can be read; 0 when the rows hold none. */
  readable: number;
  /** The rows of these keys that may be shown; those that have gone or changed since are missing. */
  read(ctx: Context, keys: readonly number[], withContent: boolean): Promise<FoundDocument[]>;
}
