// Search by words. `searchReleases` and `searchChunks` are the lexical retrievers; start at `search.ts` for how they work.
import type { Context } from '../../context.ts';
import type { LexicalAnswer, SearchFilter } from '../../domain/search-legs.ts';
import type { SearchQuery } from '../../domain/search-text/search-query.ts';
import type { ChunkCandidate } from '../candidates/chunks.ts';
import type { ReleaseCandidate } from '../candidates/releases.ts';
import { CHUNK_CORPUS, RELEASE_CORPUS } from './corpora.ts';
import { entityScope, releaseScope } from './filter-terms.ts';
import { searchIndex } from './search.ts';

export { type ChunkText, removeChunkText, writeChunkText } from './chunk-text.ts';
export { fillWords } from './fill-words.ts';

export { isIdentifierMissing } from './missing-identifier.ts';

interface LexicalSearch {
  query: SearchQuery;
  filter: SearchFilter;
  /** A name that means something only as a whole stands in no document. */
  identifierMissing: Promise<boolean>;
}

export function searchReleases(ctx: Context, search: LexicalSearch): Promise<LexicalAnswer<ReleaseCandidate>> {
  return searchIndex(ctx, { ...search, corpus: RELEASE_CORPUS, scope: releaseScope(search.filter, ctx.clock()) });
}

/** Chunks know the filters of entities alone, and the verdicts of the release of their entry: they have no date. */
export function searchChunks(ctx: Context, search: LexicalSearch): Promise<LexicalAnswer<ChunkCandidate>> {
  return searchIndex(ctx, { ...search, corpus: CHUNK_CORPUS, scope: entityScope(search.filter, ctx.clock()) });
}
