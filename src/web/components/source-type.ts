// What sort of place a source reads, as an icon and a word.
import type { SourceType } from '../../contract/enums.ts';
import { factsOf } from '../../domain/source-types.ts';
import { type Html, html } from './html.ts';
import { type IconName, icon } from './icon.ts';

// A type without a drawing of its own has that of a page.
const ICONS: Partial<Record<SourceType, IconName>> = {
  github: 'branch',
  feed: 'feed',
  appstore: 'phone',
  video: 'play',
  agent: 'pen',
};

export const sourceIcon = (type: SourceType): Html => icon(ICONS[type] ?? 'page');
export const sourceTypeWord = (type: SourceType): string => factsOf(type).label ?? type;

export function sourceTypeMark(type: SourceType): Html {
  return html`<span class="stype">${sourceIcon(type)}${sourceTypeWord(type)}</span>`;
}
