import type { Item } from '../contract.ts';
import type { PageEntry } from './entry.ts';
import { entryAddress } from './entry-address.ts';

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
