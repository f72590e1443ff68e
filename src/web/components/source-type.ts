// The type and the platform of a source, as an icon and words.
import type { AppPlatform, FeedType, SourceType, VideoProvider } from '../../contract/enums.ts';
import type { SourceItem } from '../../contract/source.ts';
import { factsOf } from '../../domain/source-types.ts';
import { type Html, html } from './html.ts';
import { type IconName, icon } from './icon.ts';

// Types that are not listed use the icon of a page.
const ICONS: Partial<Record<SourceType, IconName>> = {
  github: 'branch',
  feed: 'feed',
  appstore: 'phone',
  video: 'play',
  agent: 'pen',
};

export const sourceIcon = (type: SourceType): Html => icon(ICONS[type] ?? 'page');
export const sourceTypeWord = (type: SourceType): string => factsOf(type).label ?? type;

// Labels for the platforms that the settings of a source can name.
const PLATFORMS: Record<AppPlatform | VideoProvider | FeedType, string> = {
  ios: 'iOS',
  macos: 'macOS',
  youtube: 'YouTube',
  vimeo: 'Vimeo',
  wistia: 'Wistia',
  rss: 'RSS',
  atom: 'Atom',
  jsonfeed: 'JSON Feed',
};

// The platform of a source, or the format of its feed, for source types that cover several.
export function platformBadge({ type, metadata }: Pick<SourceItem, 'type' | 'metadata'>): Html {
  const { details, mayReadFeed } = factsOf(type);
  const settings: { appPlatform?: AppPlatform; videoProvider?: VideoProvider; feedType?: FeedType } =
    JSON.parse(metadata);
  const platform =
    details === 'appStore'
      ? (settings.appPlatform ?? 'ios')
      : details === 'video'
        ? settings.videoProvider
        : mayReadFeed && settings.feedType;
  return platform ? html`<span class="badge line">${PLATFORMS[platform]}</span>` : '';
}

export function sourceTypeMark(type: SourceType): Html {
  return html`<span class="stype">${sourceIcon(type)}${sourceTypeWord(type)}</span>`;
}
