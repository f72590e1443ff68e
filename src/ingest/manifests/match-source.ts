// Which source reads the place that a locator names.

import type { Locator } from '../../contract/manifest.ts';
import { factsOf } from '../../domain/source-types.ts';
import { githubCoordinate, normalizeUrl } from '../../domain/urls.ts';
import { parseJson } from '../../store/json-text.ts';
import type { SourceRow } from '../../store/schema/sources.ts';

type Test = (locator: Locator, source: SourceRow) => boolean;

// The most telling sign first: feed address, coordinate, store id, file, page address.
const SIGNS: readonly Test[] = [
  ({ feed }, source) => isSame(feed, source.feed_url ?? (factsOf(source.type).locator === 'feed' ? source.url : null)),
  ({ github }, source) => github !== undefined && coordinates(source).includes(github.toLowerCase()),
  ({ appstore }, source) => {
    const id = appstore === undefined ? null : storeId(appstore);
    return (
      id !== null &&
      id === (source.app_id ?? (factsOf(source.type).locator === 'appstore' ? storeId(source.url) : null))
    );
  },
  ({ file }, source) => isSame(file, parseJson(source.settings).markdownUrl ?? null),
  ({ url, file, appstore }, source) => [url, file, appstore].some((address) => isSame(address, source.url)),
];

export function matchSource(locator: Locator, sources: readonly SourceRow[]): SourceRow | null {
  for (const sign of SIGNS) {
    const found = sources.find((source) => sign(locator, source));
    if (found) return found;
  }
  return null;
}

function coordinates(source: SourceRow): string[] {
  const own = source.github_coordinate ?? (factsOf(source.type).isRepository ? githubCoordinate(source.url) : null);
  return [...(own === null ? [] : [own]), ...parseJson(source.former_coordinates)];
}

function isSame(declared: string | undefined, stored: string | null): boolean {
  return declared !== undefined && stored !== null && normalizeUrl(declared) === normalizeUrl(stored);
}

// The number in an address of the app store.
function storeId(url: string): string | null {
  return /\/id(\d{1,20})(?:[/?#]|$)/.exec(url)?.[1] ?? null;
}
