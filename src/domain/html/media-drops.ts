// Images that are no content of a release: tracking pixels, emoji, avatars, badges and favicons.
import { keysOf } from '../records.ts';

interface UrlPattern {
  host?: RegExp;
  path?: RegExp;
}

const TRACKERS: readonly UrlPattern[] = [
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

const EMOJI: readonly UrlPattern[] = [
  { path: /\/(?:emojis?|twemoji|smilies|smileys)(?:[/@]|$)/i },
  { host: /^s\.w\.org$/, path: /emoji/ },
  { host: /(?:^|\.)emoji\.slack-edge\.com$/ },
];

const AVATARS: readonly UrlPattern[] = [
  { host: /(?:^|\.)gravatar\.com$/ },
  { host: /^avatars\d*\.githubusercontent\.com$/ },
  { host: /^github\.com$/, path: /^\/[\w-]{1,39}\.png$/ },
  { path: /(?:^|[/_.-])avatars?(?:[/_.-]|$)/i },
];

const BADGES: readonly UrlPattern[] = [
  {
    host: /^(?:img|raster|flat)\.shields\.io$|(?:^|\.)(?:badgen\.net|badge\.fury\.io|badges\.gitter\.im|isitmaintained\.com)$/,
  },
  {
    host: /(?:^|\.)(?:travis-ci\.(?:org|com)|circleci\.com|coveralls\.io|codecov\.io|snyk\.io|david-dm\.org)$/,
    path: /badge|\.svg$/i,
  },
  { path: /(?:^|[/_.-])badges?(?:[/_.-]|$)/i },
];

const FAVICONS: readonly UrlPattern[] = [
  { path: /\/(?:favicon|apple-touch-icon|mstile)[^/]*$|\.ico$/i },
  { host: /^(?:www\.)?google\.com$/, path: /^\/s2\/favicons/ },
  { host: /^icons\.duckduckgo\.com$/ },
];

const PATTERNS = { tracker: TRACKERS, emoji: EMOJI, avatar: AVATARS, badge: BADGES, favicon: FAVICONS };

// Why an image is left out of a release's media, or null.
export function dropReason(url: string): keyof typeof PATTERNS | null {
  const parsed = URL.parse(url);
  if (parsed === null) return null;
  const kinds = keysOf(PATTERNS);
  return kinds.find((kind) => matches(PATTERNS[kind], parsed)) ?? null;
}

export function isTrackerUrl(url: string): boolean {
  return dropReason(url) === 'tracker';
}

export function isEmojiUrl(url: string): boolean {
  return dropReason(url) === 'emoji';
}

function matches(patterns: readonly UrlPattern[], { hostname, pathname }: URL): boolean {
  return patterns.some(({ host, path }) => (host?.test(hostname) ?? true) && (path?.test(pathname) ?? true));
}
