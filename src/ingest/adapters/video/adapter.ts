// Sources that are listings of videos.

import type { VideoProvider } from '../../../contract/enums.ts';
import type { AdapterContext, AdapterInput, AdapterResult, Item } from '../contract.ts';
import { readFeed } from '../feed/fetch-feed.ts';
import { adapterResult, emptyListing } from '../outcomes.ts';
import { videoItem, withFacts } from './item.ts';
import { listingFeed } from './listing-feed.ts';
import { askOembed } from './oembed.ts';

// Each costs a request; feeds of these providers are not much longer.
const MAX_QUESTIONS = 25;

export async function fetchVideo(ctx: AdapterContext, input: AdapterInput): Promise<AdapterResult> {
  const { source, names, validators, known, firstFetch } = input;
  const listing = await listingFeed(ctx, source);
  if ('outcome' in listing) return adapterResult(ctx, listing);
  const { provider, url } = listing;
  const toItem = videoItem(includesShorts(source.settings));
  const reading = await readFeed(ctx, { url, names, validators, fresh: firstFetch || known.count === 0, toItem });
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
    const asks = item.url !== null && left > 0 && (!item.media?.length || provider === 'wistia');
    const facts = asks && item.url !== null ? await askOembed(ctx, provider, item.url) : null;
    if (asks) left -= 1;
    // Its feeds name files; the title of a stored video came from an answer that is missing now.
    if (provider === 'wistia' && facts === null && item.url !== null && known.has(item.url)) continue;
    const title = provider === 'wistia' ? (facts?.title ?? item.title) : item.title;
    const completed = facts ? withFacts({ ...item, title }, facts) : item;
    // A provider that names no poster today has not taken yesterday's away.
    result.push(completed.media?.length ? completed : { ...completed, media: undefined });
  }
  return result;
}

function includesShorts(settings: string): boolean {
  const value: unknown = JSON.parse(settings);
  return value !== null && typeof value === 'object' && 'includeShorts' in value && value.includeShorts === true;
}
