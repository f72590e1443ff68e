// Plain data of the demo registry. Entities name each other by slug or key, never by id: ids are minted when the data is
// loaded. Every timestamp is ISO 8601 UTC with milliseconds.
import type { CreateSource } from '../catalog/sources/create.ts';
import type { CollectionCreation } from '../contract/collection.ts';
import type { Category, Discovery, OrgStatus, SourceType } from '../contract/enums.ts';
import type { SiteNoticeInput } from '../contract/notice.ts';
import type { AccountInput, OrgCreation } from '../contract/org-input.ts';
import type { PackageInput } from '../contract/package.ts';
import type { ProductCreation } from '../contract/product-input.ts';
import type { ReleaseInput } from '../contract/release-input.ts';
import type { EntityNotice } from '../contract/scalars.ts';
import type { CategoryChange } from '../contract/taxonomy.ts';
import type { FetchLogRow } from '../store/schema/jobs.ts';
import type { SourceRow } from '../store/schema/sources.ts';
import type { CastLocation } from './cast.ts';

export interface DemoRegistry {
  orgs: DemoOrg[];
  sources: DemoSource[];
  collections: DemoCollection[];
  // Categories without an entry keep their defaults.
  categories: (CategoryChange & { slug: Category })[];
  siteNotice: SiteNoticeInput;
  coverage: DemoCoverage[];
  packages: DemoPackage[];
}

export interface DemoOrg extends OrgCreation {
  slug: string;
  tags: string[];
  aliases: string[];
  accounts: AccountInput[];
  status: OrgStatus;
  discovery: Discovery;
  overviewCadenceDays: number | null;
  notice: EntityNotice | null;
  playbookNotes: string | null;
  ignoredUrls: { url: string; reason?: string; ignoredAt: string }[];
  products: DemoProduct[];
  locations: DemoLocation[];
  createdAt: string;
}

export interface DemoProduct extends ProductCreation {
  slug: string;
  notice: EntityNotice | null;
}

// `source` is the key of the source that reads this location.
export interface DemoLocation extends CastLocation {
  source?: string;
}

export interface DemoSource extends CreateSource {
  // `<org slug>/<source slug>`, or `-/<source slug>` without an org; unique in the registry.
  key: string;
  slug: string;
  type: SourceType;
  metadata: Record<string, unknown>;
  notice: EntityNotice | null;
  state: DemoSourceState;
  // Oldest first.
  releases: DemoRelease[];
  // Canonical file first.
  changelogFiles: DemoChangelogFile[];
  // Oldest first.
  fetchLog: DemoFetchLogRow[];
  createdAt: string;
}

type DemoSourceState = Pick<
  SourceRow,
  | 'stars'
  | 'stars_fetched_at'
  | 'last_fetched_at'
  | 'last_polled_at'
  | 'last_outcome'
  | 'failing_since'
  | 'consecutive_no_change'
  | 'consecutive_errors'
>;

// A row of the batch call, plus the time it was first indexed. Absent fields are for the service to derive.
export interface DemoRelease extends ReleaseInput {
  title: string;
  content: string;
  fetchedAt: string;
}

export type DemoMedia = { type: 'image' | 'video' | 'gif'; url: string; alt?: string; linkUrl?: string };

// `source` is a source key, `row` the index in its `releases`.
export type ReleaseRef = { source: string; row: number };

export type DemoChangelogFile = { path: string; url: string; rawUrl: string; content: string; fetchedAt: string };

export type DemoFetchLogRow = Omit<FetchLogRow, 'id' | 'source_id'>;

export type DemoCollection = CollectionCreation & {
  slug: string;
  members: { orgSlug: string; productSlug?: string }[];
  createdAt: string;
};

// A post that a person linked to the release it tells about; packages that only follow are found by the rules.
export type DemoCoverage = { canonical: ReleaseRef; coverage: ReleaseRef; reason: string; decidedBy: string };

// `source` is a source key.
export type DemoPackage = Omit<PackageInput, 'sourceId'> & { source: string; origin: 'operator' | 'ingest' };
