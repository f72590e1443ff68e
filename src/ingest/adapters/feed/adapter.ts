// The adapter of feeds.
import { type AdapterContext, type AdapterInput, type AdapterResult, adapterResult, type Item } from '../contract.ts';
import { emptyListing } from '../outcomes.ts';
import { readFeed } from './fetch-feed.ts';

export async function fetchFeed(ctx: AdapterContext, input: AdapterInput): Promise<AdapterResult> {
  const { source, names, known, firstFetch, max } = input;
  const url = source.feed_url ?? source.url;
  const reading = await readFeed(ctx, { ...input, url, names, fresh: firstFetch || known.count === 0 });
  if (reading.kind === 'failure') return adapterResult(ctx, reading.failure);

  const { replacement, memory } = reading.move;
  const moved = replacement === null ? {} : { feed_url: replacement };
  const notes = replacement === null ? [] : ['feed moved for good: address replaced'];
  const stored = { httpStatus: reading.status, validators: reading.validators, memory };
  if (reading.kind === 'unchanged') {
    return adapterResult(ctx, {
      outcome: 'no_change',
      ...stored,
      sourceChanges: moved,
      notes: [...reading.notes, ...notes],
    });
  }
  const { feed } = reading;
  const isEmpty = feed.items.length === 0;
  const isPart = max !== undefined && feed.items.length > max;
  return adapterResult(ctx, {
    ...(isEmpty ? emptyListing(known) : { outcome: 'success' as const }),
    httpStatus: reading.status,
    // Validators are dropped when the feed was read in part or is empty, so that the server sends it again.
    validators: isPart || (isEmpty && known.count > 0) ? [] : reading.validators,
    memory,
    items: isPart ? newest(feed.items, max) : feed.items,
    sourceChanges: { ...moved, ...(source.feed_type === feed.feedType ? {} : { feed_type: feed.feedType }) },
    notes: [...feed.notes, ...notes],
  });
}

function newest(items: readonly Item[], max: number): Item[] {
  return items.toSorted((a, b) => (b.publishedAt ?? '').localeCompare(a.publishedAt ?? '')).slice(0, max);
}
