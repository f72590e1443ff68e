// Resolves the URLs of links and media in a document.
import type { ChildNode, Element } from 'domhandler';
import { elementsOf, tagName } from './elements.ts';

const LINK_SCHEMES = new Set(['http:', 'https:', 'mailto:']);
const MAX_URL_LENGTH = 4096;

export interface BaseOptions {
  // The base URL that the feed or page declares; it takes precedence over `<base>`.
  xmlBase?: string | null;
  // The URL of the item or page itself.
  address?: string | null;
}

// The URL that relative URLs of a document are resolved against.
export function documentBase(nodes: readonly ChildNode[], { xmlBase, address }: BaseOptions): string | null {
  const declared = xmlBase ? absoluteUrl(xmlBase, address ?? null) : null;
  if (declared) return declared;
  for (const element of elementsOf(nodes)) {
    const name = tagName(element);
    if (name === 'base' && element.attribs.href)
      return absoluteUrl(element.attribs.href, address ?? null) ?? address ?? null;
    if (name === 'body') break;
  }
  return address ?? null;
}

// The base URL inside of an element, which `xml:base` may change.
export function innerBase(element: Element, base: string | null): string | null {
  const declared = element.attribs['xml:base'];
  return declared === undefined ? base : (absoluteUrl(declared, base) ?? base);
}

// Null for anything but http and https.
export function absoluteUrl(href: string | undefined, base: string | null): string | null {
  const url = resolve(href, base);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : null;
}

// The URL of a link; null for schemes that are unsafe or of no use.
export function linkTarget(href: string | undefined, base: string | null): string | null {
  const url = resolve(href, base);
  return url && LINK_SCHEMES.has(url.protocol) ? url.href : null;
}

function resolve(href: string | undefined, base: string | null): URL | null {
  const text = href?.trim() ?? '';
  if (text === '' || text.length > MAX_URL_LENGTH) return null;
  const url = base === null ? URL.parse(text) : URL.parse(text, base);
  // Credentials in a URL are removed.
  if (url && url.protocol !== 'mailto:' && (url.username !== '' || url.password !== '')) {
    url.username = '';
    url.password = '';
  }
  return url;
}
