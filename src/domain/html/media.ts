// Images and videos of a body that a release stores.
import { type ChildNode, type Element, isTag } from 'domhandler';
import { absoluteUrl, type BaseOptions, documentBase, linkTarget } from './addresses.ts';
import { elementsOf, isRemoved, tagName } from './elements.ts';
import { imageOf } from './images.ts';
import { firstSource } from './inline.ts';
import { holdsBlockTag } from './is-html.ts';
import { dropReason } from './media-drops.ts';
import { parseHtml } from './parse.ts';
import { unwrapImage } from './unwrap-image.ts';

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
