// A feed that is gone, broken or empty three times in a row has probably moved.

import type { FetchOutcome } from '../../../domain/fetching/outcome.ts';
import { normalizeUrl } from '../../../domain/urls.ts';
import type { AdapterContext, AdapterInput, Item } from '../contract.ts';
import type { Rediscovery } from '../source-type.ts';
import { discoverFeed } from './discover.ts';

const DETERMINISTIC: readonly FetchOutcome[] = ['gone', 'malformed', 'empty'];
const IN_A_ROW = 3;

// `outcomes` of the last runs, newest first.
export function isRediscoveryDue(outcomes: readonly FetchOutcome[]): boolean {
  return outcomes.length >= IN_A_ROW && outcomes.slice(0, IN_A_ROW).every((outcome) => DETERMINISTIC.includes(outcome));
}

// Null when no feed is found, or one that has nothing to do with what is stored.
export async function rediscoverFeed(
  ctx: AdapterContext,
  input: Pick<AdapterInput, 'source' | 'names' | 'known'> & { newestStored: string | null },
): Promise<Rediscovery | null> {
  const { source, names } = input;
  const found = await discoverFeed(ctx, source.url, { names });
  if (found === null || found.feedUrl === (source.feed_url ?? source.url) || !isSameSource(found.items, input))
    return null;
  return {
    sourceChanges: { feed_url: found.feedUrl, feed_type: found.feedType },
    note: `feed found again (${found.via}): address replaced`,
  };
}

function isSameSource(
  items: readonly Item[],
  { known, newestStored }: { known: AdapterInput['known']; newestStored: string | null },
): boolean {
  const addresses = new Set([...known.urls].map((url) => normalizeUrl(url) ?? url));
  return items.some(
    ({ guid, url, publishedAt }) =>
      (guid !== null && known.guids.has(guid)) ||
      (url !== null && addresses.has(normalizeUrl(url) ?? url)) ||
      (publishedAt !== null && (newestStored === null || publishedAt > newestStored)),
  );
}
