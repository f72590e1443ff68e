// Feeds as sources. `adapter.ts` is the adapter; `../feed-document` reads a feed of any format.
import type { SourceTypeDescriptor } from '../source-type.ts';
import { isThinFeed } from './articles.ts';

export const feed: SourceTypeDescriptor = {
  fetch: async (ctx, input) => (await import('./adapter.ts')).fetchFeed(ctx, input),
  // A source of this type without a feed address of its own is read at its address.
  address: ({ feed_url, url }) => feed_url ?? url,
  showsWholeEntries: true,
  onlyAnnounces: isThinFeed,
  rediscover: async (ctx, input) => (await import('../discovery/rediscover.ts')).rediscoverFeed(ctx, input),
};
