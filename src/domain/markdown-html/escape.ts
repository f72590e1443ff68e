// How text gets into HTML: between tags, inside quoted attributes and as a URL.
import { CHARACTER_REFERENCE } from '../markdown/entities.ts';

export function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

const PLAIN_AMPERSAND = new RegExp(`&(?!${CHARACTER_REFERENCE.slice(1)})`, 'gi');

// Text of markdown, whose character references are those of HTML and stay as they are.
export function escapeText(text: string): string {
  return text
    .replace(PLAIN_AMPERSAND, '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

// Browsers read a backslash in a URL as a slash, so that it is encoded.
export function escapeUrl(url: string): string {
  return escapeText(url.replaceAll('\\', '%5C'));
}
