import type { AdapterContext } from '../contract.ts';
import { questionAbout, samples, unproven } from '../probing.ts';
import type { Proof, VideoInfo } from '../proofs.ts';
import { fetchVideo, listingFeed } from './adapter.ts';

// A listing whose feed the adapter can read.
export async function probeVideo(ctx: AdapterContext, url: string): Promise<Proof<VideoInfo>> {
  const input = questionAbout({ type: 'video', url });
  const listing = await listingFeed(ctx, input.source);
  if ('outcome' in listing) return unproven(listing);
  const result = await fetchVideo(ctx, { ...input, source: { ...input.source, video_feed: listing.url } });
  if (result.outcome !== 'success') return unproven(result);
  const { provider, url: feedUrl } = listing;
  return { verdict: 'proven', provider, feedUrl, title: null, items: samples(result.items) };
}
