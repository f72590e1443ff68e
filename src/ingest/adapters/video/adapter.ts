// Sources that are listings of videos.
import type { VideoProvider } from '../../../contract/enums.ts';
import { absoluteUrl } from '../../../domain/html/addresses.ts';
import { linksIn } from '../../../domain/html/text.ts';
import { tidyMarkdown } from '../../../domain/html/to-markdown.ts';
import type { SourceRow } from '../../../store/schema/sources.ts';
import { threadTask } from '../../../threads/task.ts';
import {
  type AdapterContext,
  type AdapterInput,
  type AdapterResult,
  type AdapterSettings,
  adapterResult,
  type Item,
} from '../contract.ts';
import { inspectPage } from '../discovery/discover.ts';
import { readFeed } from '../feed/fetch-feed.ts';
import type { FeedEntry } from '../feed-document/entry.ts';
import { type EntryDate, type ItemContext, itemOf } from '../feed-document/item.ts';
import { type FeedBytes, type FeedReading, parseFeed, withHash } from '../feed-document/parse-feed.ts';
import { emptyListing, type Failure } from '../outcomes.ts';
import { channelFeed, channelIdIn, readVideoAddress, type VideoAddress } from './address.ts';
import { askOembed, type OembedInfo } from './oembed.ts';

// Bounds oEmbed requests of a run; feeds of these providers are not much longer.
const MAX_QUESTIONS = 25;

export async function fetchVideo(ctx: AdapterContext, input: AdapterInput): Promise<AdapterResult> {
  const { source, names, validators, known, firstFetch } = input;
  const listing = await listingFeed(ctx, source);
  if ('outcome' in listing) return adapterResult(ctx, listing);
  const { provider, url } = listing;
  const parsing = includesShorts(source.settings) ? VIDEO_AND_SHORTS_PARSING : VIDEO_PARSING;
  const reading = await readFeed(ctx, { url, names, validators, fresh: firstFetch || known.count === 0, parsing });
  const sourceChanges = {
    ...(source.video_provider === provider ? {} : { video_provider: provider }),
    ...(listing.learned ? { video_feed: url } : {}),
  };
  if (reading.kind === 'failure') return adapterResult(ctx, { ...reading.failure, sourceChanges });
  const stored = { httpStatus: reading.status, validators: reading.validators, sourceChanges };
  if (reading.kind === 'unchanged') return adapterResult(ctx, { outcome: 'no_change', ...stored });

  const { items, notes } = reading.feed;
  if (items.length === 0) {
    const found = emptyListing(known);
    return adapterResult(ctx, { ...found, ...stored, validators: found.outcome === 'empty' ? [] : stored.validators });
  }
  return adapterResult(ctx, {
    outcome: 'success',
    ...stored,
    items: await complete(ctx, provider, items, known.urls),
    notes,
  });
}

async function complete(
  ctx: AdapterContext,
  provider: VideoProvider,
  items: readonly Item[],
  known: ReadonlySet<string>,
): Promise<Item[]> {
  let left = MAX_QUESTIONS;
  const result: Item[] = [];
  for (const item of items) {
    const usesOembed = item.url !== null && left > 0 && (!item.media?.length || provider === 'wistia');
    const facts = usesOembed && item.url !== null ? await askOembed(ctx, provider, item.url) : null;
    if (usesOembed) left -= 1;
    // Wistia feeds name files, so without oEmbed facts the stored title is left as it is.
    if (provider === 'wistia' && facts === null && item.url !== null && known.has(item.url)) continue;
    const title = provider === 'wistia' ? (facts?.title ?? item.title) : item.title;
    const completed = facts ? withFacts({ ...item, title }, facts) : item;
    // A missing poster is left unknown, so that the stored one stays.
    result.push(completed.media?.length ? completed : { ...completed, media: undefined });
  }
  return result;
}

function includesShorts(settings: string): boolean {
  const value: unknown = JSON.parse(settings);
  return value !== null && typeof value === 'object' && 'includeShorts' in value && value.includeShorts === true;
}

// An image line that links to the video repeats the poster.
const POSTER_LINE = /^\[?!\[(?:\\.|[^[\]\n\\]){0,500}\]\([^()\s]{0,2048}\)(?:\]\([^()\s]{0,2048}\))?$/gm;

// A video as an item: its description is the content, its poster the picture, its watch page the address.
function videoItem(includeShorts: boolean) {
  return (entry: FeedEntry, context: ItemContext, date: EntryDate): Item | null => {
    const item = itemOf(entry, context, date);
    if (item === null || item.url === null || (!includeShorts && isShort(item.url))) return null;
    const description = entry.extra['media:description'];
    const content = tidyMarkdown(description ?? item.content.replace(POSTER_LINE, ''));
    const poster = absoluteUrl(entry.media.at(-1)?.url, context.base) ?? item.media?.[0]?.url ?? null;
    const facts: OembedInfo = { poster, title: null, seconds: null };
    return withFacts({ ...item, content, links: linksIn(content), media: [], origin: 'video' }, facts);
  };
}

export function parseVideos({ body, options }: FeedBytes): FeedReading {
  return withHash(parseFeed(body, { ...options, toItem: videoItem(false) }));
}

export function parseVideosAndShorts({ body, options }: FeedBytes): FeedReading {
  return withHash(parseFeed(body, { ...options, toItem: videoItem(true) }));
}

const VIDEO_PARSING = threadTask(import.meta.url, parseVideos);
const VIDEO_AND_SHORTS_PARSING = threadTask(import.meta.url, parseVideosAndShorts);

function isShort(url: string): boolean {
  return /^\/shorts\//.test(URL.parse(url)?.pathname ?? '');
}

// The poster links to the video, and its text states the duration.
function withFacts(item: Item, { poster, seconds }: OembedInfo): Item {
  const known = item.media?.[0]?.url ?? poster;
  if (!known || item.url === null) return item;
  const alt = seconds === null ? item.title : `${item.title} (${runningTime(seconds)})`;
  return { ...item, media: [{ type: 'image', url: known, alt, linkUrl: item.url }] };
}

export function runningTime(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const tail = String(rest).padStart(2, '0');
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, '0')}:${tail}` : `${minutes}:${tail}`;
}

// From the address of a listing to the address of its feed.

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
