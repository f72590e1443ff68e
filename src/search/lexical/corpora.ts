// The two corpora of a search by words.
import { type ChunkCandidate, chunkDocuments } from '../candidates/chunks.ts';
import { READABLE_CHARS, type ReleaseCandidate, releaseDocuments } from '../candidates/releases.ts';
import type { Corpus } from './corpus.ts';

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
