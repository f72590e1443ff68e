// Addresses inside a document, made absolute.
import type { ChildNode, Element } from 'domhandler';
import { elementsOf, tagName } from './elements.ts';

const LINK_SCHEMES = new Set(['http:', 'https:', 'mailto:']);
const MAX_ADDRESS = 4096;

export interface BaseOptions {
  // What the feed or page says about itself; wins over `<base>`.
  xmlBase?: string | null;
  // The item or page itself.
  address?: string | null;
}

// What relative addresses of a document refer to.
export function documentBase(nodes: readonly ChildNode[], { xmlBase, address }: BaseOptions): string | null {
  const stated = xmlBase ? absoluteUrl(xmlBase, address ?? null) : null;
  if (stated) return stated;
  for (const element of elementsOf(nodes)) {
    const name = tagName(element);
    if (name === 'base' && element.attribs.href)
      return absoluteUrl(element.attribs.href, address ?? null) ?? address ?? null;
    if (name === 'body') break;
  }
  return address ?? null;
}

export function innerBase(element: Element, base: string | null): string | null {
  const stated = element.attribs['xml:base'];
  return stated === undefined ? base : (absoluteUrl(stated, base) ?? base);
}

// An http(s) address, or null.
export function absoluteUrl(href: string | undefined, base: string | null): string | null {
  const url = resolve(href, base);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.href : null;
}

// An address that may stay a link: http, https or mailto.
export function linkTarget(href: string | undefined, base: string | null): string | null {
  const url = resolve(href, base);
  return url && LINK_SCHEMES.has(url.protocol) ? url.href : null;
}

function resolve(href: string | undefined, base: string | null): URL | null {
  const text = href?.trim() ?? '';
  if (text === '' || text.length > MAX_ADDRESS) return null;
  const url = base === null ? URL.parse(text) : URL.parse(text, base);
  // User and password of a link are removed.
  if (url && url.protocol !== 'mailto:' && (url.username !== '' || url.password !== '')) {
    url.username = '';
    url.password = '';
  }
  return url;
}
