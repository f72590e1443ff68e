// Marks of releases and sources in lists and on pages: the version, badges, the type of a source.
import type { AppPlatform, Breaking, FeedType, SourceType, VideoProvider } from '../../contract/enums.ts';
import type { FeedItem } from '../../contract/release.ts';
import type { SourceItem } from '../../contract/source.ts';
import { factsOf } from '../../domain/source-types.ts';
import { VERDICT_WORDS } from '../../domain/upgrade/verdict-words.ts';
import { type Html, html } from './html.ts';
import { type IconName, icon } from './icon.ts';

// The part of a version that changed is bold, so that the size of a change is visible at a glance.

interface VersionParts {
  // The package or tag prefix that precedes the numbers.
  prefix: string;
  before: string;
  moved: string;
  after: string;
}

const NUMBERED = /^(?<prefix>.*?)(?<numbers>\d+(?:\.\d+){0,3})(?<rest>(?:[-+.].*)?)$/;
const DATE = /^\D{0,2}(?:19|20)\d{2}[-.]\d{1,2}[-.]\d{1,2}/;

const PACKAGE = /^(?<name>@?[^@\s]+)@(?<version>[~^]?v?\d\S*)$/;

// `@acme/core@1.2.0` in the package and its version. The name is null where a version names no package.
export function splitPackage(version: string | null): { name: string | null; version: string | null } {
  const { name = null, version: own = version } = PACKAGE.exec(version ?? '')?.groups ?? {};
  return { name, version: own };
}

// The changed part is derived from the text alone: it is the last of the first three numbers that is not zero. Dates,
// and versions that are not numbers with dots, are bold as a whole.
export function splitVersion(version: string): VersionParts {
  const whole = { prefix: '', before: '', moved: version, after: '' };
  if (DATE.test(version)) return whole;
  const { prefix = '', numbers = '', rest = '' } = NUMBERED.exec(version)?.groups ?? {};
  if (!numbers || /\d$/.test(prefix)) return whole;
  const parts = numbers.split('.');
  if (parts.length === 1) return { prefix, before: '', moved: numbers, after: rest };
  const moved = Math.max(
    0,
    parts.slice(0, 3).findLastIndex((part) => Number(part) !== 0),
  );
  return splitAt({ prefix, parts, rest }, moved);
}

function splitAt({ prefix, parts, rest }: { prefix: string; parts: string[]; rest: string }, at: number): VersionParts {
  const before = parts
    .slice(0, at)
    .map((part) => `${part}.`)
    .join('');
  const after = parts
    .slice(at + 1)
    .map((part) => `.${part}`)
    .join('');
  return { prefix, before, moved: parts[at] ?? '', after: `${after}${rest}` };
}

function markup({ prefix, before, moved, after }: VersionParts): Html {
  // A lone "v" belongs to the number; a longer prefix names the package.
  const lead = prefix.length > 1 ? html`<span class="pkg">${prefix}</span>` : prefix;
  return html`${lead}${before}<b>${moved}</b>${after}`;
}

export function versionMark(version: string | null, { chip = false }: { chip?: boolean } = {}): Html {
  if (!version) return '';
  return html`<span class="version${chip ? ' chip' : ''}">${markup(splitVersion(version))}</span>`;
}

// In a range the first part that differs is bold in both versions.
export function versionRange(from: string, to: string): Html {
  const [left, right] = [NUMBERED.exec(from)?.groups, NUMBERED.exec(to)?.groups];
  if (!left || !right || from === to)
    return html`<span class="range">${versionMark(from)} ${arrow()} ${versionMark(to)}</span>`;
  const [a, b] = [(left.numbers ?? '').split('.'), (right.numbers ?? '').split('.')];
  const differs = Math.max(
    0,
    a.findIndex((part, index) => part !== b[index]),
  );
  const end = (groups: Record<string, string | undefined>, parts: string[]) =>
    html`<span class="version">${markup(splitAt({ prefix: groups.prefix ?? '', parts, rest: groups.rest ?? '' }, Math.min(differs, parts.length - 1)))}</span>`;
  return html`<span class="range">${end(left, a)} ${arrow()} ${end(right, b)}</span>`;
}

function arrow(): Html {
  return html`<span class="arrow" aria-hidden="true">→</span><span class="sr">to</span>`;
}

// Badges and verdict glyphs. Every state has a shape and a word; colour only repeats them.

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
export const WITHDRAWN: Html = html`<span class="badge key">${icon('warning')}Withdrawn</span>`;
export const ROUNDUP: Html = html`<span class="badge line">Roundup</span>`;
const SECURITY_BADGE: Html = html`<span class="badge key">${icon('warning')}Security</span>`;
export const MAJOR_NEWS: Html = html`<span class="badge key">${icon('star')}Major news</span>`;

// Lists mark only breaking releases; an unmarked row means that no breaking change is known.
export function rowBadges(item: FeedItem): Html[] {
  return [
    item.breaking === 'major' || item.breaking === 'minor' ? verdictBadge(item.breaking) : '',
    item.withdrawn ? WITHDRAWN : '',
    item.prerelease ? PRERELEASE : '',
    item.type === 'rollup' ? ROUNDUP : '',
    item.security ? SECURITY_BADGE : '',
  ].filter((badge) => badge !== '');
}

// The type and the platform of a source, as an icon and words.

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
