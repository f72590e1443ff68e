import type { ChangelogProvider } from './providers.ts';

export type Via = 'link' | 'provider' | 'sibling' | 'origin';

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
