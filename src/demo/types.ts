import type {
  Breaking,
  Category,
  Discovery,
  FetchOutcome,
  FetchPriority,
  Kind,
  SourceType,
} from '../contract/enums.ts';

/**
 * Plain data of the demo registry. Entities name each other by slug or key, never by id: ids are minted when the
 * data is loaded. Every timestamp is ISO 8601 UTC with milliseconds.
 */

export type DemoRegistry = {
  orgs: DemoOrg[];
  sources: DemoSource[];
  collections: DemoCollection[];
  // Overlay rows only; categories without one keep their defaults.
  categories: DemoCategory[];
  siteNotice: DemoSiteNotice;
  coverage: DemoCoverage[];
  overviews: DemoOverview[];
  packages: DemoPackage[];
};

export type DemoOrg = {
  slug: string;
  name: string;
  domain: string | null;
  description: string;
  category: Category;
  avatarUrl: string | null;
  featured: boolean;
  isHidden: boolean;
  status: 'stub' | 'tracked';
  discovery: Discovery;
  autoGenerateContent: boolean;
  overviewCadenceDays: number | null;
  // Tag names; the tag slug is derived from the name.
  tags: string[];
  // Domains.
  aliases: string[];
  accounts: { platform: string; handle: string }[];
  notice: DemoNotice | null;
  playbookNotes: string | null;
  ignoredUrls: { url: string; reason: string | null; ignoredAt: string }[];
  products: DemoProduct[];
  locations: DemoLocation[];
  createdAt: string;
};

export type DemoProduct = {
  slug: string;
  name: string;
  url: string | null;
  description: string | null;
  category: Category | null;
  kind: Kind | null;
  avatarUrl: string | null;
  isHidden: boolean;
  tags: string[];
  aliases: string[];
  notice: DemoNotice | null;
  createdAt: string;
};

export type DemoNotice = { message: string; linkText?: string; coordinate?: string; href?: string };

export type DemoLocation = {
  url?: string;
  feed?: string;
  github?: string;
  appstore?: string;
  file?: string;
  title?: string;
  canonical: boolean;
  basis: 'curator' | 'declared' | 'detected' | 'generated';
  productSlug: string | null;
  // Key of the source that reads this location.
  source: string | null;
};

export type DemoSource = {
  // `<org slug>/<source slug>`, or `-/<source slug>` without an org; unique in the registry.
  key: string;
  orgSlug: string | null;
  productSlug: string | null;
  slug: string;
  name: string;
  type: SourceType;
  url: string;
  kind: Kind | null;
  metadata: Record<string, unknown>;
  isPrimary: boolean;
  isHidden: boolean;
  discovery: Discovery;
  fetchPriority: FetchPriority;
  stars: number | null;
  notice: DemoNotice | null;
  state: DemoSourceState;
  // Oldest first.
  releases: DemoRelease[];
  // Canonical file first.
  changelogFiles: DemoChangelogFile[];
  summaries: DemoSummary[];
  // Oldest first.
  fetchLog: DemoFetchLogRow[];
  createdAt: string;
};

type DemoSourceState = {
  lastFetchedAt: string | null;
  lastPolledAt: string | null;
  changeDetectedAt: string | null;
  lastOutcome: FetchOutcome | null;
  failingSince: string | null;
  consecutiveNoChange: number;
  consecutiveErrors: number;
  starsFetchedAt: string | null;
};

// A row of the batch call, plus the time it was first indexed. Absent fields are for the service to derive.
export type DemoRelease = {
  title: string;
  content: string;
  version?: string;
  url?: string;
  guid?: string;
  publishedAt?: string;
  media?: DemoMedia[];
  type?: 'feature' | 'rollup';
  prerelease?: boolean;
  summary?: string;
  titleGenerated?: string;
  titleShort?: string;
  breaking?: Breaking;
  migrationNotes?: string;
  importance?: number;
  composition?: { bugs: number; features: number; enhancements: number };
  fetchedAt: string;
};

export type DemoMedia = { type: 'image' | 'video' | 'gif'; url: string; alt?: string; linkUrl?: string };

// `source` is a source key, `row` the index in its `releases`.
export type ReleaseRef = { source: string; row: number };

export type DemoChangelogFile = { path: string; url: string; rawUrl: string; content: string; fetchedAt: string };

export type DemoSummary = {
  type: 'rolling' | 'monthly';
  year: number;
  month: number;
  // 30 for rolling, null for monthly.
  windowDays: number | null;
  summary: string;
  releaseCount: number;
  generatedAt: string;
};

export type DemoFetchLogRow = {
  trigger: 'schedule' | 'manual' | 'agent' | 'lookup';
  status: 'success' | 'no_change' | 'error' | 'blocked' | 'timeout' | 'skipped' | 'dry_run';
  errorCategory: FetchOutcome | null;
  error: string | null;
  releasesFound: number;
  releasesInserted: number;
  releasesUpdated: number;
  totalReleases: number;
  durationMs: number | null;
  httpStatus: number | null;
  requests: number | null;
  bytes: number | null;
  createdAt: string;
};

export type DemoCollection = {
  slug: string;
  name: string;
  description: string | null;
  isFeatured: boolean;
  // In order; `productSlug` null means the org itself.
  members: { orgSlug: string; productSlug: string | null }[];
  createdAt: string;
};

export type DemoCategory = { slug: Category; name: string | null; description: string | null; aliases: string[] };

export type DemoSiteNotice = {
  active: boolean;
  message: string;
  linkText?: string;
  href?: string;
  placement: 'home' | 'banner';
  color: string;
  dismissible: boolean;
};

// `decidedBy` beginning with `system:` is what the coverage rules find by themselves.
export type DemoCoverage = {
  canonical: ReleaseRef;
  coverage: ReleaseRef;
  reason: string;
  decidedBy: string;
  decidedAt: string;
};

export type DemoOverview = {
  scope: 'org' | 'product';
  orgSlug: string;
  productSlug: string | null;
  content: string;
  releaseCount: number;
  lastContributingReleaseAt: string;
  generatedAt: string;
  citations: DemoCitation[];
};

// `content.slice(startIndex, endIndex) === citedText`, and `citedText` occurs in the title or content of the release.
export type DemoCitation = {
  release: ReleaseRef;
  sourceUrl: string;
  title: string;
  startIndex: number;
  endIndex: number;
  citedText: string;
};

export type DemoPackage = {
  ecosystem: 'npm' | 'pypi';
  name: string;
  source: string;
  packagePart: string | null;
  origin: 'operator' | 'ingest';
};

export type DemoOptions = {
  now: Date;
  // Number of releases in total; 3000 unless told.
  releases?: number;
  seed?: number;
};
