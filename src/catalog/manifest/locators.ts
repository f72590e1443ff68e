// Sources and stored locations as locators of a manifest.
import type { Locator } from '../../contract/manifest.ts';
import { factsOf, readerOf } from '../../domain/source-types.ts';
import { githubCoordinate } from '../../domain/urls.ts';
import type { ReleaseLocationRow } from '../../store/schema/orgs.ts';
import type { SourceRow } from '../../store/schema/sources.ts';

const TITLE = 200;
// The order in which kinds of locator are listed.
const KINDS = ['github', 'appstore', 'feed', 'file', 'url'] as const;

// The address that a fetch of the source reads, keyed by its kind of locator; null when it is not https.
export function sourceLocator(source: SourceRow): Locator | null {
  const address = addressOf(source);
  if (address === null) return null;
  return { ...address, title: shortened(source.name, TITLE), ...(source.is_primary ? { canonical: true } : {}) };
}

function addressOf(source: SourceRow): Locator | null {
  const { isRepository, locator } = factsOf(readerOf(source));
  const coordinate = isRepository ? (source.github_coordinate ?? githubCoordinate(source.url)) : null;
  if (coordinate) return { github: coordinate };
  const address = locator === 'feed' ? (source.feed_url ?? source.url) : source.url;
  if (!isHttps(address)) return null;
  // A repository without a coordinate has only its URL.
  return { [isRepository ? 'url' : locator]: address };
}

export function locationLocator(row: ReleaseLocationRow): Locator | null {
  const locator: Locator = {};
  if (row.github) locator.github = row.github;
  for (const kind of ['url', 'feed', 'appstore', 'file'] as const) {
    const value = row[kind];
    if (value && isHttps(value)) locator[kind] = value;
  }
  if (Object.keys(locator).length === 0) return null;
  if (row.title) locator.title = shortened(row.title, TITLE);
  if (row.canonical) locator.canonical = true;
  return locator;
}

// Canonical first, then by kind and value; at most one in a list is canonical.
export function sortLocators(locators: readonly Locator[]): Locator[] {
  const sorted = [...locators].sort(compareLocators);
  return sorted.map((locator, index) => {
    if (index === 0 || !locator.canonical) return locator;
    const { canonical: _, ...rest } = locator;
    return rest;
  });
}

function compareLocators(a: Locator, b: Locator): number {
  const canonical = Number(b.canonical ?? false) - Number(a.canonical ?? false);
  if (canonical !== 0) return canonical;
  const [kindA, kindB] = [kindOf(a), kindOf(b)];
  if (kindA !== kindB) return KINDS.indexOf(kindA) - KINDS.indexOf(kindB);
  const [valueA, valueB] = [a[kindA] ?? '', b[kindB] ?? ''];
  return valueA < valueB ? -1 : valueA > valueB ? 1 : 0;
}

function kindOf(locator: Locator): (typeof KINDS)[number] {
  return KINDS.find((kind) => locator[kind] !== undefined) ?? 'url';
}

function isHttps(url: string): boolean {
  return /^https:\/\//i.test(url) && URL.canParse(url);
}

// Truncates a text to the limit of the manifest, never in the middle of a character.
export function shortened(text: string, max: number): string {
  if (text.length <= max) return text;
  const cut = text.slice(0, max);
  return (/[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut).trimEnd();
}
