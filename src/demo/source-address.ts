import { deriveSlug } from '../domain/slugs.ts';
import type { CastSource } from './cast.ts';

// Stand-ins for the big stores and video hosts, so that no address of the demo leads to a real one.
const APP_STORE = 'https://appshelf.example';
const VIDEO_HOSTS = {
  youtube: 'https://tubeline.example',
  vimeo: 'https://reelhouse.example',
  wistia: 'https://clipyard.example',
};

// The page a person would open.
export function sourceAddress(cast: CastSource, domain: string): string {
  if (cast.repo) return `https://github.com/${cast.repo}`;
  if (cast.type === 'appstore')
    return `${APP_STORE}/us/app/${deriveSlug(cast.name ?? cast.slug)}/id${appId(cast, domain)}`;
  if (cast.type === 'video') return `${VIDEO_HOSTS[cast.provider ?? 'youtube']}/${domain.split('.')[0]}-${cast.slug}`;
  return `https://${domain}/${cast.slug}`;
}

export function sourceMetadata(cast: CastSource, domain: string, url: string): Record<string, unknown> {
  if (cast.repo) {
    return { githubUrl: url, ...(cast.changelog && { changelogUrl: `${url}/blob/main/CHANGELOG.md` }) };
  }
  if (cast.type === 'appstore') {
    const id = appId(cast, domain);
    return {
      appId: id,
      appPlatform: cast.platform ?? 'ios',
      appStorefront: 'us',
      appIconUrl: `${APP_STORE}/icons/${id}.png`,
    };
  }
  if (cast.type === 'video') return { videoProvider: cast.provider ?? 'youtube', videoFeed: `${url}/feed.xml` };
  if (cast.type === 'feed') {
    const isAtom = cast.slug.length % 2 === 0;
    return { feedUrl: `${url}/${isAtom ? 'atom.xml' : 'rss.xml'}`, feedType: isAtom ? 'atom' : 'rss' };
  }
  return {};
}

// Ten digits that begin with 999: far above any number given so far.
function appId(cast: CastSource, domain: string): string {
  let sum = 0;
  for (const char of `${domain}/${cast.slug}`) sum = (sum * 31 + char.charCodeAt(0)) % 9_999_999;
  return `999${String(sum).padStart(7, '0')}`;
}
