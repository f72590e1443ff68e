// What sort of place a source reads, as an icon and a word.
import type { SourceType } from '../../contract/enums.ts';
import { type Html, html } from './html.ts';
import { type IconName, icon } from './icon.ts';

const TYPES: Record<SourceType, { icon: IconName; word: string }> = {
  github: { icon: 'branch', word: 'GitHub' },
  feed: { icon: 'feed', word: 'Feed' },
  scrape: { icon: 'page', word: 'Web page' },
  appstore: { icon: 'phone', word: 'App store' },
  video: { icon: 'play', word: 'Video' },
  agent: { icon: 'pen', word: 'Curated' },
};

export const sourceIcon = (type: SourceType): Html => icon(TYPES[type].icon);
export const sourceTypeWord = (type: SourceType): string => TYPES[type].word;

export function sourceTypeMark(type: SourceType): Html {
  return html`<span class="stype">${sourceIcon(type)}${TYPES[type].word}</span>`;
}
