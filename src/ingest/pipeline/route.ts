// Which adapter reads a source. Each is loaded when the first source of its kind is read.
import type { SourceRow } from '../../store/schema.ts';
import type { Adapter } from '../adapters/contract.ts';

export type AdapterName = 'github' | 'appstore' | 'video' | 'agent' | 'feed' | 'page';

export type AdapterTable = Readonly<Record<AdapterName, Adapter>>;

/** The first rule that fits; the manifest export makes the same choice. */
export function adapterNameOf(source: Pick<SourceRow, 'type' | 'github_coordinate' | 'feed_url'>): AdapterName {
  const { type } = source;
  if (type === 'github' || source.github_coordinate !== null) return 'github';
  if (type === 'appstore' || type === 'video' || type === 'agent') return type;
  // A source of type feed without a feed address of its own is read at its address.
  return source.feed_url !== null || type === 'feed' ? 'feed' : 'page';
}

export const ADAPTERS: AdapterTable = {
  github: async (ctx, input) => (await import('../adapters/github/index.ts')).fetchGithub(ctx, input),
  appstore: async (ctx, input) => (await import('../adapters/appstore/index.ts')).fetchAppstore(ctx, input),
  video: async (ctx, input) => (await import('../adapters/video/index.ts')).fetchVideo(ctx, input),
  agent: async (ctx, input) => (await import('../adapters/agent/index.ts')).fetchAgent(ctx, input),
  feed: async (ctx, input) => (await import('../adapters/feed/index.ts')).fetchFeed(ctx, input),
  page: async (ctx, input) => (await import('../adapters/page/index.ts')).fetchPage(ctx, input),
};
