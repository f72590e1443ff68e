// The attributes and URLs that sanitized HTML may have, and those that every link, image and video gets.
import { escapeHtml } from './escape.ts';

export interface UrlBases {
  // What relative URLs are resolved against; they are dropped when it is null.
  links: string | null;
  media: string | null;
}

const ATTRIBUTES = new Set(
  'href src srcset alt title width height colspan rowspan start open lang dir controls poster'.split(' '),
);
const MEDIA = new Set(['img', 'source', 'video']);

// Attributes as they are written into a tag, each with a space before it.
export function attributesHtml(element: string, attributes: Record<string, string>, bases: UrlBases): string {
  let text = '';
  for (const [name, value] of Object.entries(attributes)) {
    const safe = ATTRIBUTES.has(name) ? safeValue(element, { name, value }, bases) : null;
    if (safe !== null) text += ` ${name}="${escapeHtml(safe)}"`;
  }
  if (element === 'a') text += ' rel="nofollow ugc noopener noreferrer"';
  if (element === 'img') {
    if (!('alt' in attributes)) text += ' alt=""';
    text += ' loading="lazy" decoding="async" referrerpolicy="no-referrer"';
  }
  if (element === 'video') text += ' preload="none"';
  return text;
}

function safeValue(
  element: string,
  { name, value }: { name: string; value: string },
  { links, media }: UrlBases,
): string | null {
  if (name === 'href') return element === 'a' ? safeUrl(value, links, ['https:', 'http:', 'mailto:']) : null;
  if (name === 'src' || name === 'poster') return MEDIA.has(element) ? safeMediaUrl(value, media) : null;
  if (name === 'srcset') return MEDIA.has(element) ? safeSourceSet(value, media) : null;
  return value;
}

function safeSourceSet(value: string, base: string | null): string | null {
  const allowed = value.split(',').flatMap((part) => {
    const [url = '', size = ''] = part.trim().split(/\s+/);
    const safe = safeMediaUrl(url, base);
    return safe === null ? [] : [size === '' ? safe : `${safe} ${size}`];
  });
  return allowed.length === 0 ? null : allowed.join(', ');
}

// Media are loaded without a click, so that they have to be encrypted.
export function safeMediaUrl(value: string, base: string | null): string | null {
  return safeUrl(value, base, ['https:']);
}

function safeUrl(value: string, base: string | null, schemes: readonly string[]): string | null {
  let url: URL;
  try {
    url = base === null ? new URL(value) : new URL(value, base);
  } catch {
    return null;
  }
  return schemes.includes(url.protocol) ? url.href : null;
}
