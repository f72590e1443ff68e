// Where an entry of a page can be read.
import { deriveSlug } from '../../../domain/slugs.ts';
import { normalizeUrl } from '../../../domain/urls.ts';
import type { PageEntry } from './entry.ts';

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
