// Checks declared locations: which ones a source reads already, and what source the others would become. Asks other servers,
// writes nothing.

import { LOCATOR_KEYS, type Locator } from '../../contract/manifest.ts';
import type { ManifestFile } from '../../contract/manifest-file.ts';
import { factsOf } from '../../domain/source-types.ts';
import { githubCoordinate, normalizeUrl } from '../../domain/urls.ts';
import { locatorKey } from '../../entities/orgs/locations.ts';
import { parseJson } from '../../store/json-text.ts';
import type { ReleaseLocationRow } from '../../store/schema/orgs.ts';
import type { SourceRow } from '../../store/schema/sources.ts';
import type { Proofs } from '../adapters/proofs.ts';
import type { KnownOrg } from './known.ts';
import { type Basis, type LocatorFinding, probeLocator } from './probe-locator.ts';

export interface WantedLocation {
  key: string;
  locator: Locator;
  basis: Basis;
  // The product that declares the location: one of the manifest, or a stored one.
  product: { index: number } | { id: string } | null;
}

// Null when a source reads the location already.
export type Surveyed = WantedLocation & { finding: LocatorFinding | null };

const AT_ONCE = 4;

// A location that a product declares belongs to the product, even if the org declares it too. Locations of the org come
// first.
export function wantedByFile(file: ManifestFile): WantedLocation[] {
  const byKey = new Map<string, WantedLocation>();
  const add = (locator: Locator, product: WantedLocation['product']) => {
    const key = locatorKey(locator);
    if (!byKey.has(key)) byKey.set(key, { key, locator, basis: 'declared', product });
  };
  file.products.forEach((product, index) => {
    for (const locator of product.releases) add(locator, { index });
  });
  for (const locator of file.releases) add(locator, null);
  // The primary source of the org is set first, because setting it unsets others.
  return [...byKey.values()].sort((a, b) => Number(a.product !== null) - Number(b.product !== null));
}

export function wantedByLocations(rows: readonly ReleaseLocationRow[]): WantedLocation[] {
  const wanted = rows.map((row) => ({
    key: row.match_key,
    locator: locatorOf(row),
    basis: row.basis,
    product: row.product_id === null ? null : { id: row.product_id },
  }));
  return wanted.sort((a, b) => Number(a.product !== null) - Number(b.product !== null));
}

// A stored location as a locator of the manifest.
export function locatorOf(row: ReleaseLocationRow): Locator {
  const set = LOCATOR_KEYS.flatMap((key) => (row[key] === null ? [] : [[key, row[key]]]));
  return {
    ...Object.fromEntries(set),
    ...(row.title === null ? {} : { title: row.title }),
    ...(row.canonical ? { canonical: true } : {}),
  };
}

export async function survey(proofs: Proofs, known: KnownOrg, wanted: readonly WantedLocation[]): Promise<Surveyed[]> {
  const surveyed: Surveyed[] = [];
  for (let start = 0; start < wanted.length; start += AT_ONCE) {
    const part = wanted.slice(start, start + AT_ONCE).map(async (one) => {
      const finding = readerOf(known, one) ? null : await findingOf(proofs, known, one);
      return { ...one, finding };
    });
    surveyed.push(...(await Promise.all(part)));
  }
  return surveyed;
}

// The source of the stored location, else the one that reads the same address.
export function readerOf({ locations, sources }: KnownOrg, { key, locator }: WantedLocation): SourceRow | null {
  const stored = locations.find(({ match_key }) => match_key === key);
  return sources.find(({ id }) => id === stored?.source_id) ?? matchSource(locator, sources);
}

async function findingOf(
  proofs: Proofs,
  known: KnownOrg,
  { key, locator, basis }: WantedLocation,
): Promise<LocatorFinding> {
  const stored = known.locations.find(({ match_key }) => match_key === key);
  // Its source was deleted by a person, so the manifest does not create it again.
  if (stored?.source_id) return { action: 'skip', reason: 'source_deleted', retry: false };
  const vouched = basis === 'curator' || stored?.basis === 'curator';
  return probeLocator(proofs, known, { locator, vouched });
}

type Test = (locator: Locator, source: SourceRow) => boolean;

// The most specific test first: feed address, coordinate, store id, file, page address.
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

// The source that reads the location that a locator names.
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
