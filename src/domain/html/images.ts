// Images: the URL of an `img` element, and whether it is a tracking pixel, an emoji or an avatar.
import type { Element } from 'domhandler';
import { absoluteUrl } from './addresses.ts';
import { isEmojiUrl, isTrackerUrl } from './media-drops.ts';

interface ImageElement {
  url: string;
  alt: string;
  isTrackingPixel: boolean;
  isEmoji: boolean;
  isAvatar: boolean;
}

// Lazy loaders put the URL into these attributes and a placeholder into `src`.
const LAZY = ['data-src', 'data-lazy-src', 'data-original', 'data-orig-file'];
const PLACEHOLDER = /(?:blank|placeholder|spacer|lazy|loading|transparent|1x1)[^/]{0,40}\.(?:gif|png|svg|jpe?g|webp)$/i;

export function imageOf({ attribs }: Element, base: string | null): ImageElement | null {
  const url = sourceOf(attribs, base);
  if (url === null) return null;
  const words = `${attribs.class ?? ''} ${attribs.id ?? ''}`.toLowerCase();
  return {
    url,
    alt: (attribs.alt ?? '').replace(/\s+/g, ' ').trim().slice(0, 1000),
    isTrackingPixel: isTiny(attribs.width) || isTiny(attribs.height) || isTrackerUrl(url),
    isEmoji: /\bemoji\b|\bwp-smiley\b/.test(words) || isEmojiUrl(url),
    isAvatar: /avatar|gravatar/.test(words),
  };
}

function sourceOf(attribs: Record<string, string>, base: string | null): string | null {
  const source = absoluteUrl(attribs.src, base);
  if (source !== null && !PLACEHOLDER.test(URL.parse(source)?.pathname ?? '')) return source;
  for (const name of LAZY) {
    const lazy = absoluteUrl(attribs[name], base);
    if (lazy !== null) return lazy;
  }
  return absoluteUrl(firstOfSet(attribs['data-srcset'] ?? attribs.srcset), base) ?? source;
}

function firstOfSet(srcset: string | undefined): string | undefined {
  return srcset?.trim().split(/\s+/, 1)[0]?.replace(/,+$/, '');
}

function isTiny(size: string | undefined): boolean {
  return size !== undefined && /^\s*[01](?:px)?\s*$/.test(size);
}
