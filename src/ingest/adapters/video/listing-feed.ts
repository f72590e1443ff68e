// From the address of a listing to the address of its feed.

import type { VideoProvider } from '../../../contract/enums.ts';
import type { SourceRow } from '../../../store/schema/sources.ts';
import type { AdapterContext, AdapterSettings } from '../contract.ts';
import { inspectPage } from '../discovery/discover.ts';
import type { Failure } from '../outcomes.ts';
import { channelFeed, channelIdIn, readVideoAddress, type VideoAddress } from './address.ts';

interface ListingFeed {
  provider: VideoProvider;
  url: string;
  // True when the address was read from a page, so that it is stored for the next run.
  learned: boolean;
}

const BASES: Record<VideoProvider, (settings: AdapterSettings) => string> = {
  youtube: ({ youtubeUrl }) => youtubeUrl,
  vimeo: ({ vimeoUrl }) => vimeoUrl,
  wistia: ({ wistiaUrl }) => wistiaUrl,
};

type ListingSource = Pick<SourceRow, 'url' | 'video_provider' | 'video_feed' | 'feed_url'>;

export async function listingFeed(ctx: AdapterContext, source: ListingSource): Promise<ListingFeed | Failure> {
  const address = readVideoAddress(source.url);
  const provider = address?.provider ?? source.video_provider;
  const stored = source.video_feed ?? source.feed_url;
  if (stored !== null && provider) return { provider, url: stored, learned: false };
  if (address?.kind === 'single') return refused('single_video: a video is no listing');
  if (address === null) return refused('not the address of a video listing');
  const base = BASES[address.provider](ctx.settings);
  if (address.feed !== null) return { provider: address.provider, url: base + address.feed, learned: false };
  return fromPage(ctx, source.url, address, base);
}

type VideoListing = VideoAddress & { kind: 'listing' };

async function fromPage(
  ctx: AdapterContext,
  sourceUrl: string,
  { provider, page }: VideoListing,
  base: string,
): Promise<ListingFeed | Failure> {
  // Wistia pages are served by each customer's own host; the provider's host serves only oEmbed.
  const inspected = await inspectPage(ctx, provider === 'wistia' ? sourceUrl : base + page);
  if ('outcome' in inspected) return inspected;
  if (provider === 'youtube') {
    const id = channelIdIn(inspected.canonical);
    if (id === null) return { ...refused('the page names no channel'), outcome: 'malformed' };
    return { provider, url: base + channelFeed(id), learned: true };
  }
  const [feed] = inspected.feedLinks;
  if (feed === undefined) return { ...refused('the page names no feed'), outcome: 'malformed' };
  return { provider, url: feed, learned: true };
}

function refused(detail: string): Failure {
  return { outcome: 'error', detail, httpStatus: null, retryAt: null };
}
