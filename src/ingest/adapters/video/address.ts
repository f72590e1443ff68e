// Addresses of video listings. Single videos are recognised as well, because they are no sources.

import type { VideoProvider } from '../../../contract/enums.ts';

export type VideoAddress =
  // `feed` is the path of the listing's feed on the provider's host; null: the page names it.
  | { kind: 'listing'; provider: VideoProvider; feed: string | null; page: string }
  | { kind: 'single'; provider: VideoProvider };

const CHANNEL = /^\/channel\/(?<id>UC[\w-]{10,40})(?:\/|$)/;
const NAMED = /^\/(?:@[^/]{1,100}|c\/[^/]{1,100}|user\/[^/]{1,100})(?=\/|$)/;
const YOUTUBE_SINGLE = /^\/(?:watch|shorts|live|embed|v)(?:\/|$)/;

const VIMEO_SINGLE =
  /^\/(?:video\/)?\d+(?:\/|$)|^\/(?:channels|showcase|album|groups)\/[^/]+\/(?:videos?\/)?\d+(?:\/|$)/;
const VIMEO_LISTING =
  /^\/(?<path>(?:channels|showcase|album|groups)\/[\w-]{1,100}|[\w-]{1,100})(?:\/(?:videos(?:\/rss)?)?)?$/;
const VIMEO_PAGES = new Set(
  `about blog categories channels create enterprise explore features for-hire groups help join jobs log_in login ott pricing privacy
  search settings showcase site_map solutions stock terms upgrade upload watch`.split(/\s+/),
);

const WISTIA_SINGLE = /^\/(?:medias|m|embed\/(?:iframe|medias))\//;
const WISTIA_LISTING = /^\/(?:projects|folders|channels?|embed\/channel(?:\/collection)?)\/[\w-]{1,100}/;

// Null for an address of another kind.
export function readVideoAddress(address: string): VideoAddress | null {
  const url = URL.parse(address);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  const host = url.hostname.replace(/^(?:www|m)\./, '');
  if (host === 'youtube.com' || host === 'youtube-nocookie.com') return youtube(url);
  if (host === 'youtu.be') return { kind: 'single', provider: 'youtube' };
  if (host === 'vimeo.com' || host === 'player.vimeo.com') return vimeo(url);
  return /(?:^|\.)wistia\.(?:com|net)$/.test(host) ? wistia(url) : null;
}

function youtube(url: URL): VideoAddress | null {
  const listing = (feed: string | null): VideoAddress => ({
    kind: 'listing',
    provider: 'youtube',
    feed,
    page: NAMED.exec(url.pathname)?.[0] ?? url.pathname,
  });
  const list = url.searchParams.get('list');
  if (list && /^[\w-]{2,64}$/.test(list)) return listing(`/feeds/videos.xml?playlist_id=${list}`);
  const id = CHANNEL.exec(url.pathname)?.groups?.id;
  if (id) return listing(channelFeed(id));
  if (url.pathname === '/feeds/videos.xml' && /^\?(?:channel|playlist)_id=[\w-]{2,64}$/.test(url.search)) {
    return listing(`/feeds/videos.xml${url.search}`);
  }
  if (NAMED.test(url.pathname)) return listing(null);
  return YOUTUBE_SINGLE.test(url.pathname) ? { kind: 'single', provider: 'youtube' } : null;
}

export function channelFeed(channelId: string): string {
  return `/feeds/videos.xml?channel_id=${channelId}`;
}

// The channel that the canonical link of a page names.
export function channelIdIn(canonical: string | null): string | null {
  return CHANNEL.exec(URL.parse(canonical ?? '')?.pathname ?? '')?.groups?.id ?? null;
}

function vimeo(url: URL): VideoAddress | null {
  if (VIMEO_SINGLE.test(url.pathname)) return { kind: 'single', provider: 'vimeo' };
  const path = VIMEO_LISTING.exec(url.pathname)?.groups?.path;
  if (path === undefined || VIMEO_PAGES.has(path.toLowerCase())) return null;
  return { kind: 'listing', provider: 'vimeo', feed: `/${path}/videos/rss`, page: `/${path}` };
}

function wistia(url: URL): VideoAddress | null {
  if (WISTIA_SINGLE.test(url.pathname)) return { kind: 'single', provider: 'wistia' };
  if (!WISTIA_LISTING.test(url.pathname)) return null;
  return { kind: 'listing', provider: 'wistia', feed: null, page: url.pathname + url.search };
}
