// What the head of a page says about feeds and about the software that made it.
import type { Element } from 'domhandler';
import { absoluteUrl, documentBase } from '../../../domain/html/addresses.ts';
import { elementsOf, tagName } from '../../../domain/html/elements.ts';
import { parseHtml } from '../../../domain/html/parse.ts';
import { threadTask } from '../../../threads/task.ts';

export interface PageSigns {
  // Feeds that the page names, best first.
  feedLinks: string[];
  generators: string[];
  canonical: string | null;
}

const WINDOW = 512_000;
const NEWS = /changelog|change-log|release|update/i;
const COMMENTS = /\bcomments?\b/i;
const FORMATS: readonly [type: RegExp, rank: number][] = [
  [/^application\/feed\+json/i, 0],
  [/^application\/atom\+xml/i, 1],
  [/^application\/(?:rss|rdf)\+xml/i, 2],
];

export function readPageSigns(html: string, pageUrl: string): PageSigns {
  const { children } = parseHtml(html.slice(0, WINDOW));
  const base = documentBase(children, { address: pageUrl });
  const links: FeedLink[] = [];
  const generators: string[] = [];
  let canonical: string | null = null;
  for (const element of elementsOf(children)) {
    const name = tagName(element);
    if (name === 'meta' && element.attribs.name?.toLowerCase() === 'generator') {
      generators.push(element.attribs.content ?? '');
    }
    if (name !== 'link') continue;
    const relations = element.attribs.rel?.toLowerCase().split(/\s+/) ?? [];
    if (relations.includes('canonical')) canonical ??= absoluteUrl(element.attribs.href, base);
    const link = relations.includes('alternate') ? feedLink(element, base) : null;
    if (link) links.push(link);
  }
  links.sort((a, b) => Number(b.isNews) - Number(a.isNews) || a.rank - b.rank);
  return { feedLinks: [...new Set(links.map(({ url }) => url))], generators, canonical };
}

// `readPageSigns` as a task for a thread.
export function readSignsOfPage({ html, pageUrl }: { html: string; pageUrl: string }): PageSigns {
  return readPageSigns(html, pageUrl);
}

export const PAGE_SIGNS = threadTask(import.meta.url, readSignsOfPage);

interface FeedLink {
  url: string;
  isNews: boolean;
  rank: number;
}

function feedLink({ attribs }: Element, base: string | null): FeedLink | null {
  const url = absoluteUrl(attribs.href, base);
  const rank = rankOf(attribs.type?.trim() ?? '', attribs.href ?? '');
  if (url === null || rank === null) return null;
  const words = `${attribs.title ?? ''} ${URL.parse(url)?.pathname ?? ''}`;
  return COMMENTS.test(words) ? null : { url, isNews: NEWS.test(words), rank };
}

// Plain JSON is used for many things, so its address must name a feed.
function rankOf(type: string, href: string): number | null {
  const known = FORMATS.find(([form]) => form.test(type))?.[1];
  if (known !== undefined) return known;
  return /^application\/json/i.test(type) && /feed/i.test(href) ? 0 : null;
}
