// The checks of an address that need other servers. Manifests, promotion, lookups and evaluation use this interface;
// `probe.ts` implements it with the adapters, tests with tables.
import type { Context } from '../../context.ts';
import type { FeedType } from '../../contract/enums.ts';

// refused: the address was read and is not what it should be. unreachable: nothing was learned, so a later check may succeed.
export type Unproven =
  | { verdict: 'refused'; reason: string; status?: number | null; detail?: string | null }
  | { verdict: 'unreachable'; reason: string; status?: number | null; detail?: string | null };
export type Proof<Facts> = ({ verdict: 'proven' } & Facts) | Unproven;

export interface SampleItem {
  title: string;
  version: string | null;
  url: string | null;
  publishedAt: string | null;
}

export interface FeedInfo {
  feedUrl: string;
  feedType: FeedType;
  title: string | null;
  // The page that the feed belongs to.
  homepage: string | null;
  items: SampleItem[];
  // Most items are teasers, or have no date.
  thin: boolean;
}

export interface ProvenRepository {
  // As the host spells it.
  fullName: string;
  homepage: string | null;
  // The site in the profile of the owner; null unless it was asked for.
  ownerSite: string | null;
  archived: boolean;
  // The newest releases, else tags, else changelog entries; none unless they were asked for.
  items: SampleItem[];
}

export interface AppInfo {
  appId: string;
  platform: 'ios' | 'macos';
  storefront: string;
  name: string;
  developer: string | null;
  iconUrl: string | null;
  items: SampleItem[];
}

// A markdown changelog.
export interface FileInfo {
  url: string;
  items: SampleItem[];
}

export interface VideoInfo {
  provider: 'youtube' | 'vimeo' | 'wistia';
  feedUrl: string;
  title: string | null;
  items: SampleItem[];
}

export type PageStructure = 'single_page' | 'index_with_pages' | 'feed_only' | 'dynamic' | 'unknown';

// Everything that was found at, or from, a page.
export interface PageInfo {
  finalUrl: string;
  title: string | null;
  siteName: string | null;
  provider: string | null;
  structure: PageStructure;
  video: VideoInfo | null;
  feed: FeedInfo | null;
  markdown: FileInfo | null;
  // How sure the page parser is of what it read, 0 to 1.
  score: number;
  parser: string | null;
  items: SampleItem[];
  notes: string[];
}

// Facts that cost further requests.
export interface RepositoryOptions {
  ownerSite?: boolean;
  items?: boolean;
}

export interface Proofs {
  feed(url: string): Promise<Proof<FeedInfo>>;
  repository(coordinate: string, options?: RepositoryOptions): Promise<Proof<ProvenRepository>>;
  app(url: string): Promise<Proof<AppInfo>>;
  file(url: string): Promise<Proof<FileInfo>>;
  page(url: string): Promise<Proof<PageInfo>>;
}

export type ProvingContext = Context & { proofs: Proofs };

// From this score on a page is read without review by a person.
export const READABLE_SCORE = 0.6;
