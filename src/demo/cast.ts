// The compact form in which the orgs, products and sources of the demo are written down.
import type {
  AppPlatform,
  Category,
  Discovery,
  FetchPriority,
  Kind,
  LocationBasis,
  SourceType,
  VideoProvider,
} from '../contract/enums.ts';
import type { Locator } from '../contract/manifest.ts';
import type { ProductCreation } from '../contract/product-input.ts';
import type { EntityNotice } from '../contract/scalars.ts';
import { deriveSlug } from '../domain/slugs.ts';

// How notes with a version are written, and how the others are.
export type ReleaseStyle = 'keep-a-changelog' | 'conventional' | 'changesets' | 'auto-notes' | 'sections' | 'terse';
export type NoteStyle = ReleaseStyle | 'launch' | 'entry' | 'rollup' | 'store' | 'video';

// How versions go on; `packages` tags each package of a monorepo by itself.
export type VersionStyle = 'semver' | 'v-semver' | 'python' | 'calendar' | 'short' | 'prefixed' | 'packages' | 'none';

export interface CastOrg {
  slug: string;
  name: string;
  category: Category;
  // The field whose words it uses, when that is not its category.
  speaks?: Category;
  description: string;
  // `<slug>.example` unless given.
  domain?: string | null;
  featured?: boolean;
  // Few have a picture: no `.example` host answers, so a picture can only show how a missing one is handled.
  avatar?: boolean;
  isHidden?: boolean;
  isStub?: boolean;
  discovery?: Discovery;
  tags: string[];
  aliases?: string[];
  // Platforms on which it has an account under its slug, besides that of its repositories.
  accounts?: string[];
  // What only this org has: parts of its products, singular and with article.
  parts?: string[];
  notice?: EntityNotice;
  playbook?: string;
  ignored?: { url: string; reason?: string }[];
  products?: CastProduct[];
  // Those that belong to none of its products.
  sources?: CastSource[];
  locations?: CastLocation[];
}

// The slug is made of the name, and the address of the slug, unless given.
export interface CastProduct extends Omit<ProductCreation, 'orgId' | 'orgSlug' | 'avatarUrl' | 'url'> {
  url?: null;
  notice?: EntityNotice;
  sources?: CastSource[];
}

export interface CastLocation {
  locator: Locator;
  basis: LocationBasis;
  product?: string;
}

export interface CastSource {
  slug: string;
  type: SourceType;
  // Share of all releases, relative to the other sources.
  weight: number;
  style: NoteStyle;
  scheme: VersionStyle;
  // First version of the two years.
  start: string;
  // How many changes a release holds, relative to others.
  detail: number;
  // How long its history goes back, and how long ago its last release was.
  ageDays: number;
  quietDays: number;
  // Share of releases without a date.
  undated: number;
  // Names of the packages of a monorepo, the leading one first.
  packages: string[];
  // Package registry entries, `npm:<name>` or `pypi:<name>`, besides the packages of a monorepo.
  publishes: string[];
  platform: AppPlatform;
  provider: VideoProvider;
  discovery: Discovery;
  fetchPriority: FetchPriority;
  // The repository name for GitHub sources without one.
  name?: string;
  // Repository under the account of the org, or `owner/name`; the slug for GitHub sources without one.
  repo?: string;
  kind?: Kind;
  // Its own parts, in place of those of the org and of its field.
  parts?: string[];
  isHidden?: boolean;
  health?: 'failing' | 'never_fetched';
  notice?: EntityNotice;
  // Files beside the releases; `large` passes 256 KB.
  changelog?: 'file' | 'large' | 'per-package' | 'with-upgrading';
  // Its newest release lies two days ahead.
  future?: boolean;
}

function sourceOf(type: SourceType, style: NoteStyle, scheme: VersionStyle) {
  return (slug: string, weight: number, options: Partial<CastSource> = {}): CastSource => ({
    slug,
    type,
    weight,
    style,
    scheme,
    start: '1.0.0',
    detail: 1,
    ageDays: 730,
    quietDays: 0,
    undated: 0.004,
    packages: [],
    publishes: [],
    platform: 'ios',
    provider: 'youtube',
    discovery: 'curated',
    fetchPriority: 'normal',
    ...options,
  });
}

export const github = sourceOf('github', 'keep-a-changelog', 'v-semver');
export const page = sourceOf('scrape', 'entry', 'none');
export const feed = sourceOf('feed', 'launch', 'none');
export const agent = sourceOf('agent', 'entry', 'none');
export const store = sourceOf('appstore', 'store', 'semver');
export const video = sourceOf('video', 'video', 'none');

export function productSlug({ slug, name }: CastProduct): string {
  return slug ?? deriveSlug(name) ?? name;
}

export function domainOf(org: CastOrg): string {
  return org.domain ?? `${org.slug}.example`;
}
