// Search: the full-text index of releases and the questions asked of it. Start at `index-releases.ts` for what a
// release becomes in the index and at `match-feed.ts` for how a query reads it.
import type { Ports } from '../ports.ts';
import { indexReleases, unindexReleases } from './index-releases.ts';
import { matchFeed } from './match-feed.ts';

export const fullText: Ports['fullText'] = {
  write: indexReleases,
  remove: unindexReleases,
  match: matchFeed,
};
