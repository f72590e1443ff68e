// A monogram with the picture above it: the letter is visible when the picture is missing or broken.
import { outsideUrl } from '../links.ts';
import { type Html, html } from './html.ts';

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
