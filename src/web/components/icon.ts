// Icons and avatars. Icons are drawn on a grid of 16 units, inline so that they need no request. Screen readers skip an icon
// that stands beside a word.
import { outsideUrl } from '../links.ts';
import { type Html, html, raw } from './html.ts';

const DRAWINGS = {
  search: '<circle cx="7" cy="7" r="4.25"/><path d="m10.25 10.25 3.5 3.5"/>',
  feed: '<path d="M3 7.5A5.5 5.5 0 0 1 8.5 13M3 3a10 10 0 0 1 10 10"/><circle class="f" cx="3.75" cy="12.25" r="1.25"/>',
  external: '<path d="M5.5 4.5h6v6M11.25 4.75 4.5 11.5"/>',
  star: '<path d="m8 2.25 1.75 3.7 4 .5-2.95 2.8.75 4L8 11.3l-3.55 1.95.75-4L2.25 6.45l4-.5z"/>',
  bell: '<path d="M8 2.25a3.75 3.75 0 0 0-3.75 3.75c0 3.5-1.5 4.75-1.5 4.75h10.5s-1.5-1.25-1.5-4.75A3.75 3.75 0 0 0 8 2.25ZM6.75 13.25a1.4 1.4 0 0 0 2.5 0"/>',
  code: '<path d="M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5"/>',
  likely: '<path d="M3 6.5c1.5-1.6 3-1.6 5 0s3.5 1.6 5 0M3 10.5c1.5-1.6 3-1.6 5 0s3.5 1.6 5 0"/>',
  copy: '<rect x="5.75" y="5.75" width="7.5" height="7.5" rx="1.25"/><path d="M10.25 5.5V4A1.25 1.25 0 0 0 9 2.75H4A1.25 1.25 0 0 0 2.75 4v5A1.25 1.25 0 0 0 4 10.25h1.5"/>',
  check: '<path d="m3.25 8.5 3.25 3.25 6.25-7"/>',
  warning: '<path d="M8 2.5 14 13H2zM8 6.75v2.75"/><circle class="f" cx="8" cy="11.35" r=".8"/>',
  branch:
    '<circle cx="4.5" cy="3.75" r="1.5"/><circle cx="4.5" cy="12.25" r="1.5"/><circle cx="11.5" cy="5.25" r="1.5"/><path d="M4.5 5.25v5.5M11.5 6.75c0 2.25-1.75 2.5-3.75 2.75-1.75.2-3.25.5-3.25 1.25"/>',
  package: '<path d="M8 2 13.25 4.9v6.2L8 14l-5.25-2.9V4.9zM2.9 5 8 7.85 13.1 5M8 7.9V14"/>',
  sun: '<circle cx="8" cy="8" r="2.75"/><path d="M8 1.5v1.25M8 13.25v1.25M1.5 8h1.25M13.25 8h1.25M3.4 3.4l.9.9M11.7 11.7l.9.9M12.6 3.4l-.9.9M4.3 11.7l-.9.9"/>',
  moon: '<path d="M13 9.75A5.5 5.5 0 0 1 6.25 3a5.5 5.5 0 1 0 6.75 6.75Z"/>',
  filter: '<path d="M2.5 4.5h11M4.75 8h6.5M6.75 11.5h2.5"/>',
  page: '<path d="M4 2.25h5L12.25 5.5v8.25H4zM8.75 2.5v3.25h3.25M6.25 8.5h3.75M6.25 11h3.75"/>',
  play: '<rect x="2" y="3.25" width="12" height="9.5" rx="1.5"/><path class="f" d="M6.75 6v4l3.25-2z"/>',
  pen: '<path d="m3 13 .75-3.25 7-7 2.5 2.5-7 7zM9.25 4.25l2.5 2.5"/>',
  phone: '<rect x="4.25" y="1.75" width="7.5" height="12.5" rx="1.5"/><path d="M7.25 12h1.5"/>',
  menu: '<path d="M2.5 4.5h11M2.5 8h11M2.5 11.5h11"/>',
  close: '<path d="m4 4 8 8M12 4l-8 8"/>',
  chevron: '<path d="m6 3.75 4.25 4.25L6 12.25"/>',
  back: '<path d="M10 3.75 5.75 8 10 12.25"/>',
  clock: '<circle cx="8" cy="8" r="5.75"/><path d="M8 4.75V8l2.25 1.5"/>',
  key: '<circle cx="5.25" cy="10.75" r="2.75"/><path d="m7.25 8.75 6-6M10.5 5.5l2 2"/>',
  info: '<circle cx="8" cy="8" r="5.75"/><path d="M8 7.25v3.5"/><circle class="f" cx="8" cy="5.1" r=".8"/>',
  'v-major': '<path class="f" d="M8 1.5 14.5 8 8 14.5 1.5 8z"/>',
  'v-minor': '<path d="M8 2.25 13.75 8 8 13.75 2.25 8z"/><path class="f" d="M8 2.25 13.75 8 8 13.75z"/>',
  'v-none': '<circle cx="8" cy="8" r="5.5"/><path d="m5.5 8.25 1.75 1.75 3.25-3.75"/>',
  'v-unknown': '<circle cx="8" cy="8" r="5.5" stroke-dasharray="2.4 2.2"/><path d="M5.75 8h4.5"/>',
} as const;

export type IconName = keyof typeof DRAWINGS;

const MARKUP = new Map<string, Html>(
  Object.entries(DRAWINGS).map(([name, drawing]) => [
    name,
    raw(`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">${drawing}</svg>`),
  ]),
);

export function icon(name: IconName): Html {
  return MARKUP.get(name) ?? '';
}

// The three bars stand for major, minor and patch.
export const LOGO: Html = raw(
  '<svg viewBox="0 0 24 24" aria-hidden="true"><rect x="2" y="4" width="9" height="16" rx="1.5"/><rect x="13" y="10" width="5" height="10" rx="1.2"/><rect x="20" y="16" width="3" height="4" rx="1"/></svg>',
);

// A monogram with the picture above it: the letter is visible when the picture is missing or broken.

const TINTS = 5;

function tintOf(name: string): number {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 65_521;
  return (sum % TINTS) + 1;
}

export function avatar(name: string, url: string | null, size: '' | 'm' | 'l' = ''): Html {
  const letter = [...name.trim()][0]?.toUpperCase() ?? '?';
  const address = outsideUrl(url)?.replace(/^http:/, 'https:');
  const picture = address
    ? html`<img src="${address}" alt="" loading="lazy" decoding="async" referrerpolicy="no-referrer">`
    : '';
  return html`<span class="avatar${size && ` ${size}`} tint-${tintOf(name)}" aria-hidden="true">${letter}${picture}</span>`;
}
