// Search by words. `searchReleases` and `searchChunks` are the lexical legs; start at `search.ts` for how they work.
import type { Context } from '../../context.ts';
import type { LexicalAnswer, SearchFilter } from '../../domain/search-legs.ts';
import { describeQuery } from '../../domain/search-text/search-query.ts';
import { CHUNK_CORPUS } from './chunk-corpus.ts';
import { entityScope, releaseScope } from './filter-terms.ts';
import { releaseCorpus } from './release-corpus.ts';
import { searchIndex } from './search.ts';

export { describeQuery, type SearchGroup, type SearchQuery } from '../../domain/search-text/search-query.ts';
export { type ChunkText, removeChunkText, writeChunkText } from './chunk-text.ts';
export { fillWords } from './fill-words.ts';

export interface LexicalSearch {
  /** As typed: white space at the end says that the last word is whole. */
  q: string;
  filter: SearchFilter;
  limit: number;
}

export function searchReleases(ctx: Context, { q, filter, limit }: LexicalSearch): Promise<LexicalAnswer> {
  const query = describeQuery(q);
  const scope = releaseScope(filter, ctx.clock(), query.prerelease);
  return searchIndex(ctx, { corpus: releaseCorpus(filter), query, scope, limit });
}

/** Chunks know the filters of entities alone: they have no date, type or verdict of their own. */
export function searchChunks(ctx: Context, { q, filter, limit }: LexicalSearch): Promise<LexicalAnswer> {
  const query = describeQuery(q);
  return searchIndex(ctx, { corpus: CHUNK_CORPUS, query, scope: entityScope(filter, ctx.clock()), limit });
}
