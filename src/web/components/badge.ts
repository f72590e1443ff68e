// Badges and verdict glyphs. Every state has a shape and a word; colour only repeats them.
import type { Breaking } from '../../contract/enums.ts';
import type { FeedItem } from '../../contract/release.ts';
import { type Html, html } from './html.ts';
import { type IconName, icon } from './icon.ts';

export const VERDICT_WORDS: Record<Breaking, string> = {
  major: 'Breaking',
  minor: 'Minor break',
  none: 'No break',
  unknown: 'Not judged',
};

export const VERDICT_ICONS: Record<Breaking, IconName> = {
  major: 'v-major',
  minor: 'v-minor',
  none: 'v-none',
  unknown: 'v-unknown',
};

export function verdictBadge(verdict: Breaking): Html {
  return html`<span class="badge ${verdict}">${icon(VERDICT_ICONS[verdict])}${VERDICT_WORDS[verdict]}</span>`;
}

export const PRERELEASE: Html = html`<span class="badge pre">Pre-release</span>`;
export const ROUNDUP: Html = html`<span class="badge line">Roundup</span>`;
const SECURITY_BADGE: Html = html`<span class="badge key">${icon('warning')}Security</span>`;
export const MAJOR_NEWS: Html = html`<span class="badge key">${icon('star')}Major news</span>`;

// Lists mark only breaking releases; an unmarked row means that no breaking change is known.
export function rowBadges(item: FeedItem): Html[] {
  return [
    item.breaking === 'major' || item.breaking === 'minor' ? verdictBadge(item.breaking) : '',
    item.prerelease ? PRERELEASE : '',
    item.type === 'rollup' ? ROUNDUP : '',
    item.security ? SECURITY_BADGE : '',
  ].filter((badge) => badge !== '');
}
