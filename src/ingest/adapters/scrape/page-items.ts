import { deriveSlug } from '../../../domain/slugs.ts';
import { normalizeUrl } from '../../../domain/urls.ts';
import type { Item } from '../contract.ts';
import type { PageEntry } from './entry.ts';

const MAX_ITEMS = 500;

export function pageItems(address: string, entries: readonly PageEntry[], confidence: number): Item[] {
  return entries.slice(0, MAX_ITEMS).map((found) => pageItem(address, found, confidence));
}

export function pageItem(address: string, found: PageEntry, confidence: number): Item {
  return {
    title: found.title,
    content: found.content,
    version: found.version,
    url: entryAddress(address, found),
    guid: null,
    publishedAt: found.date?.at ?? null,
    datePrecision: found.date?.precision ?? null,
    dateFromUpdated: found.date !== null && found.dateFromUpdated,
    media: found.media,
    categories: [],
    links: [],
    origin: 'page',
    confidence,
    ...(found.suppressedReason ? { suppressedReason: found.suppressedReason } : {}),
  };
}

// Its own link when that stays on the site, else the page with the element's id, else with a slug of its name.
export function entryAddress(page: string, entry: PageEntry): string | null {
  if (entry.link !== null && staysOnSite(page, entry.link) && isOwn(page, entry.link)) return entry.link;
  const url = URL.parse(page);
  if (url === null) return null;
  const fragment = entry.elementId ?? deriveSlug(entry.version ?? '') ?? deriveSlug(entry.title);
  if (fragment === null) return null;
  url.hash = fragment;
  return url.href;
}

function staysOnSite(page: string, link: string): boolean {
  return siteOf(page) !== null && siteOf(page) === siteOf(link);
}

function siteOf(address: string): string | null {
  return URL.parse(address)?.host.replace(/^www\./, '') ?? null;
}

// A link to the page itself names no entry.
function isOwn(page: string, link: string): boolean {
  return normalizeUrl(link) !== normalizeUrl(page);
}
