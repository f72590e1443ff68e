// The picture that an `img` element stands for.
import type { Element } from 'domhandler';
import { absoluteUrl } from './addresses.ts';
import { isEmojiAddress, isTrackerAddress } from './media-drops.ts';

interface Picture {
  url: string;
  alt: string;
  // A tracking pixel.
  isPixel: boolean;
  isEmoji: boolean;
  isAvatar: boolean;
}

// Lazy loaders put the address into these attributes and show a placeholder.
const LAZY = ['data-src', 'data-lazy-src', 'data-original', 'data-orig-file'];
const STAND_IN = /(?:blank|placeholder|spacer|lazy|loading|transparent|1x1)[^/]{0,40}\.(?:gif|png|svg|jpe?g|webp)$/i;

export function pictureOf({ attribs }: Element, base: string | null): Picture | null {
  const url = sourceOf(attribs, base);
  if (url === null) return null;
  const words = `${attribs.class ?? ''} ${attribs.id ?? ''}`.toLowerCase();
  return {
    url,
    alt: (attribs.alt ?? '').replace(/\s+/g, ' ').trim().slice(0, 1000),
    isPixel: isTiny(attribs.width) || isTiny(attribs.height) || isTrackerAddress(url),
    isEmoji: /\bemoji\b|\bwp-smiley\b/.test(words) || isEmojiAddress(url),
    isAvatar: /avatar|gravatar/.test(words),
  };
}

function sourceOf(attribs: Record<string, string>, base: string | null): string | null {
  const shown = absoluteUrl(attribs.src, base);
  if (shown !== null && !STAND_IN.test(URL.parse(shown)?.pathname ?? '')) return shown;
  for (const name of LAZY) {
    const lazy = absoluteUrl(attribs[name], base);
    if (lazy !== null) return lazy;
  }
  return absoluteUrl(firstOfSet(attribs['data-srcset'] ?? attribs.srcset), base) ?? shown;
}

function firstOfSet(srcset: string | undefined): string | undefined {
  return srcset?.trim().split(/\s+/, 1)[0]?.replace(/,+$/, '');
}

function isTiny(size: string | undefined): boolean {
  return size !== undefined && /^\s*[01](?:px)?\s*$/.test(size);
}
