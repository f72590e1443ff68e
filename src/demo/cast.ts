import type { Category, Discovery, FetchPriority, Kind, SourceType } from '../contract/enums.ts';
import type { DemoLocation, DemoNotice } from './types.ts';

// How the notes of a source are written.
export type NoteStyle =
  | 'keep-a-changelog'
  | 'conventional'
  | 'changesets'
  | 'auto-notes'
  | 'sections'
  | 'terse'
  | 'launch'
  | 'entry'
  | 'rollup'
  | 'store'
  | 'video';

// How its versions go on; `packages` tags each package of a monorepo by itself.
export type VersionScheme = 'semver' | 'v-semver' | 'python' | 'calendar' | 'short' | 'prefixed' | 'packages' | 'none';

export type CastOrg = {
  slug: string;
  name: string;
  category: Category;
  description: string;
  // `<slug>.example` unless told.
  domain?: string | null;
  featured?: boolean;
  isHidden?: boolean;
  isStub?: boolean;
  discovery?: Discovery;
  // Few have a picture: no `.example` host answers, so a picture can only show how a missing one is handled.
  avatar?: boolean;
  tags: string[];
  aliases?: string[];
  // Platform → handle.
  accounts?: Record<string, string>;
  // What only this org has: parts of its products, singular and with article.
  parts?: string[];
  // The field whose words it uses, when that is not its category.
  speaks?: Category;
  notice?: DemoNotice;
  playbook?: string;
  ignored?: [url: string, reason: string | null][];
  overview?: boolean;
  products?: CastProduct[];
  sources: CastSource[];
  locations?: DemoLocation[];
};

type CastProduct = {
  slug: string;
  name: string;
  kind: Kind | null;
  description: string | null;
  category?: Category;
  url?: null;
  isHidden?: boolean;
  tags?: string[];
  aliases?: string[];
  notice?: DemoNotice;
  overview?: boolean;
};

export type CastSource = {
  slug: string;
  // The repository name for github sources without one.
  name?: string;
  type: SourceType;
  // Defaults of both: `noteDefaults`.
  style?: NoteStyle;
  versions?: VersionScheme;
  // Share of all releases, relative to the other sources.
  weight: number;
  product?: string;
  kind?: Kind;
  // GitHub coordinate; `owner/name`.
  repo?: string;
  // First version of the two years.
  start?: string;
  // Its own parts, in place of those of the org and of its field.
  parts?: string[];
  speaks?: Category;
  // How many changes a release holds, relative to others; 1 unless told.
  detail?: number;
  // Names of the packages of a monorepo, the leading one first.
  packages?: string[];
  platform?: 'ios' | 'macos';
  provider?: 'youtube' | 'vimeo' | 'wistia';
  // How long its history goes back; 730 days unless told.
  ageDays?: number;
  // How long ago its last release was, for sources that went quiet.
  quietDays?: number;
  isPrimary?: boolean;
  isHidden?: boolean;
  discovery?: Discovery;
  fetchPriority?: FetchPriority;
  health?: 'failing' | 'never_fetched';
  stars?: number;
  notice?: DemoNotice;
  // Files kept beside the releases; `large` passes 256 KB.
  changelog?: 'file' | 'large' | 'per-package' | 'with-upgrading';
  // Share of releases without a date.
  undated?: number;
  // Its newest release lies two days ahead.
  future?: boolean;
  metadata?: Record<string, unknown>;
  // Package registry entries: `npm:<name>` or `pypi:<name>`.
  publishes?: string[];
};

interface NoteDefaults {
  style: NoteStyle;
  versions: VersionScheme;
}

const SOURCE_DEFAULTS: Partial<Record<SourceType, NoteDefaults>> = {
  github: { style: 'keep-a-changelog', versions: 'v-semver' },
  scrape: { style: 'entry', versions: 'none' },
  feed: { style: 'launch', versions: 'none' },
  agent: { style: 'entry', versions: 'none' },
  appstore: { style: 'store', versions: 'semver' },
  video: { style: 'video', versions: 'none' },
};

export function noteDefaults(type: SourceType): NoteDefaults {
  return SOURCE_DEFAULTS[type] ?? { style: 'entry', versions: 'none' };
}
