// Images that say nothing about a release.
import { keysOf } from '../records.ts';

interface Sign {
  host?: RegExp;
  path?: RegExp;
}

const TRACKERS: readonly Sign[] = [
  { host: /^(?:feeds\.feedburner\.com|feedproxy\.google\.com)$/, path: /^\/~/ },
  {
    host: /(?:^|\.)(?:feedsportal\.com|doubleclick\.net|google-analytics\.com|scorecardresearch\.com|quantserve\.com)$/,
  },
  { host: /^(?:pixel\.wp\.com|stats\.wordpress\.com|track\.hubspot\.com|px\.ads\.linkedin\.com|bat\.bing\.com)$/ },
  { host: /(?:^|\.)facebook\.com$/, path: /^\/tr\/?$/ },
  { host: /(?:^|\.)medium\.com$/, path: /^\/_\/stat/ },
  {
    path: /\/(?:pixel|tracking-?pixel|track(?:ing)?|beacon|open|spacer|blank|clear|transparent|1x1|__ptq)\.(?:gif|png|aspx?|php)$/i,
  },
  { path: /\/(?:track|tracking|trk|e|email)\/(?:open|o|pixel)(?:\/|$)/i },
];

const EMOJI: readonly Sign[] = [
  { path: /\/(?:emojis?|twemoji|smilies|smileys)(?:[/@]|$)/i },
  { host: /^s\.w\.org$/, path: /emoji/ },
  { host: /(?:^|\.)emoji\.slack-edge\.com$/ },
];

const AVATARS: readonly Sign[] = [
  { host: /(?:^|\.)gravatar\.com$/ },
  { host: /^avatars\d*\.githubusercontent\.com$/ },
  { host: /^github\.com$/, path: /^\/[\w-]{1,39}\.png$/ },
  { path: /(?:^|[/_.-])avatars?(?:[/_.-]|$)/i },
];

const BADGES: readonly Sign[] = [
  {
    host: /^(?:img|raster|flat)\.shields\.io$|(?:^|\.)(?:badgen\.net|badge\.fury\.io|badges\.gitter\.im|isitmaintained\.com)$/,
  },
  {
    host: /(?:^|\.)(?:travis-ci\.(?:org|com)|circleci\.com|coveralls\.io|codecov\.io|snyk\.io|david-dm\.org)$/,
    path: /badge|\.svg$/i,
  },
  { path: /(?:^|[/_.-])badges?(?:[/_.-]|$)/i },
];

const FAVICONS: readonly Sign[] = [
  { path: /\/(?:favicon|apple-touch-icon|mstile)[^/]*$|\.ico$/i },
  { host: /^(?:www\.)?google\.com$/, path: /^\/s2\/favicons/ },
  { host: /^icons\.duckduckgo\.com$/ },
];

const SIGNS = { tracker: TRACKERS, emoji: EMOJI, avatar: AVATARS, badge: BADGES, favicon: FAVICONS };

// Why a picture is left out of a release's media, or null.
export function mediaDrop(url: string): keyof typeof SIGNS | null {
  const parsed = URL.parse(url);
  if (parsed === null) return null;
  const kinds = keysOf(SIGNS);
  return kinds.find((kind) => shows(SIGNS[kind], parsed)) ?? null;
}

export function isTrackerAddress(url: string): boolean {
  return mediaDrop(url) === 'tracker';
}

export function isEmojiAddress(url: string): boolean {
  return mediaDrop(url) === 'emoji';
}

function shows(signs: readonly Sign[], { hostname, pathname }: URL): boolean {
  return signs.some(({ host, path }) => (host?.test(hostname) ?? true) && (path?.test(pathname) ?? true));
}
