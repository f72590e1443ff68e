// The two corpora of a search by words: releases and chunks, each an index of documents and the rows behind it.

import type { Context } from '../../context.ts';
import type { SearchFilter } from '../../domain/retrieval/retrievers.ts';
import type { ScoredText } from '../../domain/search-text/score.ts';
import type { FullTextColumn, FullTextIndex } from '../../store/dialect.ts';
import { type ChunkCandidate, chunkDocuments } from '../candidates/chunks.ts';
import { READABLE_CHARS, type ReleaseCandidate, releaseDocuments } from '../candidates/releases.ts';

export interface CorpusDocument<Candidate extends { docKey: number }> {
  candidate: Candidate;
  // Whether the key contains a date of the document itself, which recency is computed from.
  dated: boolean;
  text: ScoredText;
}

// A searchable corpus: an index of documents and the rows behind it.
export interface Corpus<Candidate extends { docKey: number }> {
  index: FullTextIndex;
  // Columns that say what a document is about.
  head: readonly FullTextColumn[];
  // Columns in which a single word counts almost as much; empty when there are none.
  near: readonly FullTextColumn[];
  // How many characters of the text can be read; 0 when the rows hold no text.
  readable: number;
  // The rows of these keys that pass the filter now.
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
  // Headings are mostly dates, versions and words such as "Fixes", so one word in them says little.
  near: [],
  readable: 0,
  read: (ctx, keys, { filter }) => chunkDocuments(ctx, keys, filter),
};
