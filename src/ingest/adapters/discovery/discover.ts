// Finds the feed of a page; its provider and its markdown version are found beside it. A candidate counts only when its body
// is a feed with at least one item.
import type { FeedType } from '../../../contract/enums.ts';
import { readDocument } from '../../../threads/documents.ts';
import type { AdapterContext, Item } from '../contract.ts';
import { documentText } from '../document-text.ts';
import { FEED_PARSING, type ParsedFeed } from '../feed-document/parse-feed.ts';
import { type Failure, readableAnswer } from '../outcomes.ts';
import { permanentTarget } from '../redirect-memory.ts';
import { PAGE_SIGNS, type PageSigns } from './page-signs.ts';
import { type ChangelogProvider, detectProvider } from './providers.ts';

type DiscoveryContext = Pick<AdapterContext, 'fetch' | 'robotsFailure' | 'now'>;

interface DiscoveredFeed {
  feedUrl: string;
  feedType: FeedType;
  // `page`: the address was a feed itself.
  via: Via | 'page';
  provider: string | null;
  title: string | null;
  siteUrl: string | null;
  items: Item[];
  probes: number;
}

export interface InspectedPage extends PageSigns {
  url: string;
  finalUrl: string;
  html: string;
  headers: Readonly<Record<string, string>>;
  provider: ChangelogProvider | null;
  // Set when the address answers with a feed.
  feed: DiscoveredFeed | null;
}

interface DiscoveryOptions {
  names?: readonly string[];
  // The names that the host of the page is an alias for.
  cnames?: readonly string[];
  page?: InspectedPage | Failure;
}

const PAGE_ACCEPT = 'text/html, application/xhtml+xml, application/xml;q=0.9, */*;q=0.5';
const FEED_ACCEPT =
  'application/feed+json, application/atom+xml, application/rss+xml, application/xml;q=0.9, */*;q=0.1';

// Reads a page once for everything that discovery wants to know of it.
export async function inspectPage(
  ctx: DiscoveryContext,
  pageUrl: string,
  options: DiscoveryOptions = {},
): Promise<InspectedPage | Failure> {
  const forbidden = await ctx.robotsFailure(pageUrl);
  if (forbidden) return forbidden;
  const answer = readableAnswer(await ctx.fetch({ url: pageUrl, headers: { accept: PAGE_ACCEPT } }), ctx.now);
  if ('outcome' in answer) return answer;
  const { headers, finalUrl } = answer;
  const html = await documentText(answer);
  const signs = await readDocument(PAGE_SIGNS, { html, pageUrl: finalUrl }, html.length);
  const provider = detectProvider({ url: finalUrl, headers, generators: signs.generators, cnames: options.cnames });
  const feedOptions = { url: finalUrl, now: ctx.now, names: options.names };
  const parsed = await readDocument(FEED_PARSING, { body: html, options: feedOptions }, html.length);
  const feed = parsed.ok && parsed.items.length > 0 ? found(parsed, finalUrl, provider) : null;
  return { ...signs, url: pageUrl, finalUrl, html, headers, provider, feed };
}

export async function discoverFeed(
  ctx: DiscoveryContext,
  pageUrl: string,
  options: DiscoveryOptions = {},
): Promise<DiscoveredFeed | null> {
  const page = options.page ?? (await inspectPage(ctx, pageUrl, options));
  const isRead = !('outcome' in page);
  if (isRead ? page.feed : isHopeless(page)) return isRead ? page.feed : null;
  const address = isRead ? page.finalUrl : pageUrl;
  const { cnames } = options;
  const provider = isRead ? page.provider : detectProvider({ url: pageUrl, headers: {}, generators: [], cnames });
  let probes = 0;
  for (const { url, via } of feedCandidates(address, isRead ? page.feedLinks : [], provider)) {
    probes += 1;
    const probe = await probeFeed(ctx, url, options);
    if (!('outcome' in probe)) return { ...probe, via, provider: provider?.name ?? null, probes };
    if (isHopeless(probe) && URL.parse(url)?.host === URL.parse(address)?.host) return null;
  }
  return null;
}

// Whether an address is a feed with at least one item.
async function probeFeed(
  ctx: DiscoveryContext,
  url: string,
  { names }: DiscoveryOptions = {},
): Promise<DiscoveredFeed | Failure> {
  const answer = readableAnswer(await ctx.fetch({ url, headers: { accept: FEED_ACCEPT } }), ctx.now);
  if ('outcome' in answer) return answer;
  const feedUrl = permanentTarget(answer.redirects) ?? url;
  const text = await documentText(answer);
  const options = { url: feedUrl, now: ctx.now, names };
  const feed = await readDocument(FEED_PARSING, { body: text, options }, text.length);
  const httpStatus = answer.status;
  if (!feed.ok) return { outcome: 'malformed', detail: feed.detail, httpStatus, retryAt: null };
  if (feed.items.length === 0) return { outcome: 'empty', detail: 'a feed without items', httpStatus, retryAt: null };
  return found(feed, feedUrl, null);
}

// A host that does not answer, or refuses requests, is not asked for the other candidates.
function isHopeless({ outcome, httpStatus }: Failure): boolean {
  return outcome === 'throttled' || ((outcome === 'timeout' || outcome === 'unreachable') && httpStatus === null);
}

function found(feed: ParsedFeed & { ok: true }, feedUrl: string, provider: ChangelogProvider | null): DiscoveredFeed {
  const { feedType, title, siteUrl, items } = feed;
  return { feedUrl, feedType, via: 'page', provider: provider?.name ?? null, title, siteUrl, items, probes: 0 };
}

type Via = 'link' | 'provider' | 'sibling' | 'origin';

interface FeedCandidate {
  url: string;
  via: Via;
}

export const MAX_PROBES = 20;

const SIBLINGS = ['/rss.xml', '/feed.xml', '/feed', '/rss', '/atom.xml', '.rss', '.atom'];
const ORIGIN = [
  ...['/changelog.rss', '/changelog/rss.xml', '/changelog/feed', '/changelog.xml'],
  ...['/feed.json', '/feed.xml', '/rss.xml', '/atom.xml', '/feed'],
];

// The addresses where a page's feed may be, in the order in which they are tried.
export function feedCandidates(
  pageUrl: string,
  feedLinks: readonly string[],
  provider: ChangelogProvider | null,
): FeedCandidate[] {
  const page = new URL(pageUrl);
  const path = page.pathname.replace(/\/+$/, '');
  const onOrigin = (list: readonly string[]) => list.map((text) => new URL(text, page.origin).href);
  // Suffixes are added only to a path that has a name.
  const siblings = SIBLINGS.filter((text) => path !== '' || text.startsWith('/')).map((text) => path + text);
  const all: FeedCandidate[] = [
    ...feedLinks.map((url) => ({ url, via: 'link' as const })),
    ...onOrigin(provider?.feedPaths ?? []).map((url) => ({ url, via: 'provider' as const })),
    ...onOrigin(siblings).map((url) => ({ url, via: 'sibling' as const })),
    ...onOrigin(ORIGIN).map((url) => ({ url, via: 'origin' as const })),
  ];
  const seen = new Set<string>();
  return all.filter(({ url }) => !seen.has(url) && seen.add(url)).slice(0, MAX_PROBES);
}
