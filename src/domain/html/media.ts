// Images and videos of a body that a release stores.
import { type ChildNode, type Element, isTag } from 'domhandler';
import { absoluteUrl, type BaseOptions, documentBase, linkTarget } from './addresses.ts';
import { elementsOf, isRemoved, tagName } from './elements.ts';
import { imageOf } from './images.ts';
import { firstSource } from './inline.ts';
import { holdsBlockTag } from './is-html.ts';
import { dropReason } from './media-drops.ts';
import { parseHtml } from './parse.ts';

export const MAX_MEDIA = 12;

export interface Media {
  type: 'image' | 'video' | 'gif';
  url: string;
  alt?: string;
  // The link around the image.
  linkUrl?: string;
}

export interface MediaCandidate {
  url: string;
  alt?: string;
  linkUrl?: string;
}

const VIDEO = /\.(?:mp4|webm|mov)$/i;
const IMAGE = /\.(?:png|jpe?g|gif|webp|avif|svg|bmp|heic|tiff?|apng)$/i;
const MARKDOWN_IMAGE =
  /!\[(?<alt>(?:\\.|[^[\]\n\\]){0,500})\]\(\s{0,3}<?(?<url>https?:\/\/[^\s()<>]{1,2048}(?:\([^\s()<>]{0,200}\))?[^\s()<>]{0,2048})/gi;
const MARKDOWN_LINK_AFTER = /^>?[^)\n]{0,300}\)\]\(\s{0,3}<?(?<link>https?:\/\/[^\s()<>]{1,2048})/i;
const MAX_CANDIDATES = 200;

// The media of a body that is HTML or markdown.
export function bodyMedia(input: string, options: BaseOptions = {}): Media[] {
  if (holdsBlockTag(input)) return mediaOfNodes(parseHtml(input).children, options);
  const tags = /<(?:img|video)\b/i.test(input) ? candidatesOf(parseHtml(input).children, options) : [];
  return selectMedia([...markdownCandidates(input), ...tags]);
}

export function mediaOfNodes(nodes: readonly ChildNode[], options: BaseOptions = {}): Media[] {
  return selectMedia(candidatesOf(nodes, options));
}

// Resolves image proxies, drops duplicates and images that are no content, and returns the first twelve.
export function selectMedia(candidates: readonly MediaCandidate[]): Media[] {
  const selected = new Map<string, Media>();
  for (const { url, alt, linkUrl } of candidates) {
    const address = absoluteUrl(url, null);
    const unwrapped = address === null ? null : unwrapImage(address);
    if (unwrapped === null || selected.has(unwrapped) || dropReason(unwrapped) !== null || dropReason(url) !== null)
      continue;
    selected.set(unwrapped, {
      type: mediaType(unwrapped),
      url: unwrapped,
      ...(alt ? { alt } : {}),
      ...(linkUrl && linkUrl !== unwrapped ? { linkUrl } : {}),
    });
    if (selected.size === MAX_MEDIA) break;
  }
  return [...selected.values()];
}

// The type by the extension of the path. Everything but GIFs and known video formats is an image.
export function mediaType(url: string): Media['type'] {
  const path = URL.parse(url)?.pathname ?? '';
  if (/\.gif$/i.test(path)) return 'gif';
  return VIDEO.test(path) ? 'video' : 'image';
}

// Whether an attached file is an image or a video, by its MIME type or, without one, by its extension.
export function isMediaFile(url: string, mimeType: string | undefined): boolean {
  if (mimeType && /^(?:image|video)\//i.test(mimeType.trim())) return true;
  if (mimeType && !/^application\/octet-stream/i.test(mimeType.trim())) return false;
  const path = URL.parse(url)?.pathname ?? '';
  return VIDEO.test(path) || IMAGE.test(path);
}

function candidatesOf(nodes: readonly ChildNode[], options: BaseOptions): MediaCandidate[] {
  const base = documentBase(nodes, options);
  const found: MediaCandidate[] = [];
  for (const element of elementsOf(nodes, isRemoved)) {
    if (found.length >= MAX_CANDIDATES) break;
    const name = tagName(element);
    if (name === 'img') {
      const image = imageOf(element, base);
      if (!image || image.isTrackingPixel || image.isEmoji || image.isAvatar) continue;
      found.push({ url: image.url, alt: image.alt, linkUrl: linkAround(element, base) });
    } else if (name === 'video') {
      const url = absoluteUrl(element.attribs.src ?? firstSource(element), base);
      if (url !== null) found.push({ url });
    }
  }
  return found;
}

function linkAround(element: Element, base: string | null): string | undefined {
  let up = element.parent;
  for (let level = 0; level < 4 && up && isTag(up); level += 1, up = up.parent) {
    const target = tagName(up) === 'a' ? linkTarget(up.attribs.href, base) : null;
    if (target !== null) return /^https?:/.test(target) ? target : undefined;
  }
  return undefined;
}

function markdownCandidates(text: string): MediaCandidate[] {
  const found: MediaCandidate[] = [];
  for (const match of text.matchAll(MARKDOWN_IMAGE)) {
    const { alt = '', url = '' } = match.groups ?? {};
    const before = text[match.index - 1] === '[';
    const after = text.slice(match.index + match[0].length, match.index + match[0].length + 2500);
    found.push({ url, alt, linkUrl: before ? MARKDOWN_LINK_AFTER.exec(after)?.groups?.link : undefined });
    if (found.length >= MAX_CANDIDATES) break;
  }
  return found;
}

// Finds the original image behind the URL of an image proxy, so that releases store images that outlive the proxy.

const QUERY_WRAPPERS: readonly { host?: RegExp; path: RegExp; key: string }[] = [
  { path: /\/_next\/image\/?$/, key: 'url' },
  { path: /^\/_vercel\/image\/?$/, key: 'url' },
  { path: /^\/\.netlify\/images\/?$/, key: 'url' },
  { path: /^\/_gatsby\/image\//, key: 'u' },
  { path: /^\/_image\/?$/, key: 'href' },
  { host: /^(?:wsrv\.nl|images\.weserv\.nl)$/, path: /^/, key: 'url' },
  { host: /^external-content\.duckduckgo\.com$/, path: /^\/iu\//, key: 'u' },
  { host: /\.googleusercontent\.com$/, path: /^\/gadgets\/proxy/, key: 'url' },
];
// Proxies that have the original in their path: an absolute URL, or a path on the same host.
const PATH_WRAPPERS: readonly { host?: RegExp; path: RegExp }[] = [
  { path: /^\/cdn-cgi\/image\/[^/]+\/(?<rest>.+)$/ },
  { path: /\/_ipx\/[^/]+\/(?<rest>.+)$/ },
  { path: /\/image\/fetch\/(?:.*?\/)??(?<rest>https?(?::|%3a).+)$/i },
];
const WORDPRESS = /^i[0-3]\.wp\.com$/;
const CAMO = /^\/[0-9a-f]{40,64}\/(?<hex>(?:[0-9a-f]{2}){8,2000})$/i;
const MAX_WRAPPERS = 3;

export function unwrapImage(url: string): string {
  let address = url;
  for (let left = MAX_WRAPPERS; left > 0; left -= 1) {
    const parsed = URL.parse(address);
    const inner = parsed && wrappedBy(parsed);
    const next = inner ? URL.parse(inner, address) : null;
    if (next === null || !/^https?:$/.test(next.protocol) || next.href === address) return address;
    address = next.href;
  }
  return address;
}

function wrappedBy(url: URL): string | null {
  const { hostname, pathname } = url;
  if (hostname === 'camo.githubusercontent.com') return fromHex(CAMO.exec(pathname)?.groups?.hex);
  if (WORDPRESS.test(hostname)) return `https:/${pathname}`;
  const byQuery = QUERY_WRAPPERS.find(({ host, path }) => (host?.test(hostname) ?? true) && path.test(pathname));
  if (byQuery) return withScheme(url.searchParams.get(byQuery.key));
  for (const { path } of PATH_WRAPPERS) {
    const rest = path.exec(pathname)?.groups?.rest;
    if (rest !== undefined) return fromPath(rest) + url.search;
  }
  return null;
}

// Servers collapse `https://host` in a path to `https:/host`.
function fromPath(rest: string): string {
  const text = /^https?%3a/i.test(rest) ? decoded(rest) : rest;
  return /^https?:\//i.test(text) ? text.replace(/^(https?:)\/+/i, '$1//') : `/${text}`;
}

function withScheme(text: string | null): string | null {
  if (!text) return null;
  return /^(?:https?:|\/)/i.test(text) ? text : `https://${text}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function fromHex(hex: string | undefined): string | null {
  const text = hex === undefined ? '' : Buffer.from(hex, 'hex').toString('utf8');
  return /^https?:\/\//i.test(text) ? text : null;
}
