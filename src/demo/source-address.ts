// Addresses of sources and of their releases. Hosts under `.example` stand in for the big stores and video hosts, so
// that no address of the demo leads to a real one.
import { deriveSlug } from '../domain/slugs.ts';
import type { CastOrg, CastSource } from './cast.ts';
import type { PlannedRelease } from './timeline.ts';
import type { DemoSource } from './types.ts';
import type { Voice } from './voice.ts';

const APP_STORE = 'https://appshelf.example';
const VIDEO_HOSTS = {
  youtube: 'https://tubeline.example',
  vimeo: 'https://reelhouse.example',
  wistia: 'https://clipyard.example',
};

// `owner/name`, for GitHub sources alone.
export function repositoryOf({ type, slug, repo = slug }: CastSource, org: CastOrg | null): string | null {
  if (type !== 'github') return null;
  return repo.includes('/') ? repo : `${org?.slug}/${repo}`;
}

// The page a person would open.
export function sourceAddress(cast: CastSource, domain: string, repo: string | null): string {
  if (repo) return `https://github.com/${repo}`;
  if (cast.type === 'appstore')
    return `${APP_STORE}/us/app/${deriveSlug(cast.name ?? cast.slug)}/id${appId(cast, domain)}`;
  if (cast.type === 'video') return `${VIDEO_HOSTS[cast.provider]}/${domain.split('.')[0]}-${cast.slug}`;
  return `https://${domain}/${cast.slug}`;
}

export function sourceMetadata(cast: CastSource, domain: string, url: string): Record<string, unknown> {
  if (cast.type === 'github') {
    return { githubUrl: url, ...(cast.changelog && { changelogUrl: `${url}/blob/main/CHANGELOG.md` }) };
  }
  if (cast.type === 'appstore') {
    const id = appId(cast, domain);
    const appIconUrl = `${APP_STORE}/icons/${id}.png`;
    return { appId: id, appPlatform: cast.platform, appStorefront: 'us', appIconUrl };
  }
  if (cast.type === 'video') return { videoProvider: cast.provider, videoFeed: `${url}/feed.xml` };
  if (cast.type !== 'feed') return {};
  const feedType = cast.slug.length % 2 === 0 ? 'atom' : 'rss';
  return { feedUrl: `${url}/${feedType}.xml`, feedType };
}

// Ten digits that begin with 999: far above any number given so far.
function appId(cast: CastSource, domain: string): string {
  let sum = 0;
  for (const char of `${domain}/${cast.slug}`) sum = (sum * 31 + char.charCodeAt(0)) % 9_999_999;
  return `999${String(sum).padStart(7, '0')}`;
}

interface PublishingSource {
  cast: CastSource;
  source: DemoSource;
  voice: Voice;
}

// `taken` holds the addresses that the source has given so far.
export function releaseAddress(
  { cast, source, voice }: PublishingSource,
  { tag, number }: PlannedRelease,
  { title, taken }: { title: string; taken: Set<string> },
): string | undefined {
  if (cast.type === 'github') return `${source.url}/releases/tag/${encodeURIComponent(tag ?? title)}`;
  if (cast.type === 'appstore') return `${source.url}?v=${number}`;
  if (cast.type === 'video') return `${new URL(source.url).origin}/watch/${voice.random.hex(11)}`;
  // Some entries that were gathered by hand have no address of their own.
  if (cast.type === 'agent' && voice.random.chance(0.2)) return undefined;

  const isAnchored = cast.type === 'scrape' && source.key.length % 2 === 0;
  const base = `${source.url}${isAnchored ? '#' : '/'}${deriveSlug(tag ?? title) ?? 'entry'}`;
  let url = base;
  for (let n = 2; taken.has(url); n++) url = `${base}-${n}`;
  taken.add(url);
  return url;
}
