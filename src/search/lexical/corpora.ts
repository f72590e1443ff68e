// The two corpora of a search by words: releases and chunks, each an index of documents and the rows behind it.

import type { Context } from '../../context.ts';
import type { SearchFilter } from '../../domain/retrieval/retrievers.ts';
import type { ScoredText } from '../../domain/search-text/score.ts';
import type { FullTextColumn, FullTextIndex } from '../../store/dialect.ts';
import { type ChunkCandidate, chunkDocuments } from '../candidates/chunks.ts';
import { READABLE_CHARS, type ReleaseCandidate, releaseDocuments } from '../candidates/releases.ts';

export interface CorpusDocument<Candidate extends { docKey: number }> {
  candidate: Candidate;
  // Whether its key is a date of its own, by which it is new or old.
  dated: boolean;
  text: ScoredText;
}

// What is searched: an index of documents and the rows behind it.
export interface Corpus<Candidate extends { docKey: number }> {
  index: FullTextIndex;
  // Columns that say what a document is about.
  head: readonly FullTextColumn[];
  // Where one word, at least, counts almost as much; none: not asked for.
  near: readonly FullTextColumn[];
  // Characters of the text that can be read; 0 when the rows hold none.
  readable: number;
  // The rows of these keys that pass the filter as they are now.
  read(
    ctx: Context,
    keys: readonly number[],
    options: { filter: SearchFilter; withContent: boolean },
  ): Promise<CorpusDocument<Candidate>[]>;
}

export const RELEASE_CORPUS: Corpus<ReleaseCandidate> = {
  index: 'releases',
  head: ['title', 'version'],
  near: ['title', 'version', 'summary'],
  readable: READABLE_CHARS,
  read: releaseDocuments,
};

export const CHUNK_CORPUS: Corpus<ChunkCandidate> = {
  index: 'chunks',
  head: ['title'],
  // Headings are dates, versions and "Fixes": one word in them says little.
  near: [],
  readable: 0,
  read: (ctx, keys, { filter }) => chunkDocuments(ctx, keys, filter),
};
