// The full-text index of releases as the write path and the feeds use it.
import type { Ports } from '../context.ts';
import { indexReleases, unindexReleases } from './index-releases.ts';
import { matchFeed, matchFeedAmong } from './match-feed.ts';

export const fullText: Ports['fullText'] = {
  write: indexReleases,
  remove: unindexReleases,
  match: matchFeed,
  matchAmong: matchFeedAmong,
};
