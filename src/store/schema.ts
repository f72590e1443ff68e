// Row types of every table, with the closed sets and JSON shapes of their columns. Booleans are 0/1, timestamps ISO text in UTC, JSON is text; the same on both engines.
import type { Kysely, Transaction } from 'kysely';
import type { FetchTrigger } from '../contract/admin-logs.ts';
import type { BlockType } from '../contract/blocklist.ts';
import type {
  AppPlatform,
  Breaking,
  Category,
  DerivedBy,
  Discovery,
  Ecosystem,
  FeedType,
  FetchOutcome,
  FetchPriority,
  FetchStatus,
  Kind,
  LocationBasis,
  OrgStatus,
  ReleaseType,
  RevisionCause,
  SourceType,
  VersionScheme,
  VideoProvider,
} from '../contract/enums.ts';
import type { FeedbackType, RecommendationType, TriageStatus } from '../contract/feedback.ts';
import type { Overview, Playbook } from '../contract/overview.ts';
import type { PackageOrigin } from '../contract/package.ts';
import type { Composition, MediaItem } from '../contract/release.ts';
import type { PinnableField } from '../contract/release-patch.ts';
import type { EntityNotice } from '../contract/scalars.ts';
import type { SourceSettings } from '../contract/source-settings.ts';
import type { SummaryType } from '../contract/summary.ts';
import type { PrincipalType } from '../contract/token.ts';
import type { JsonText } from './json-text.ts';
import type { AccountTables } from './schema-accounts.ts';
import type { SearchTables } from './schema-search.ts';
import type { WebhookTables } from './schema-webhooks.ts';

export type Queries = Kysely<Schema>;
export type Tx = Transaction<Schema>;

type Flag = number;

export interface OrgRow {
  id: string;
  slug: string;
  name: string;
  name_key: string;
  domain: string | null;
  description: string | null;
  category: Category | null;
  avatar_url: string | null;
  status: OrgStatus;
  discovery: Discovery;
  is_hidden: Flag;
  featured: Flag;
  fetch_paused: Flag;
  auto_generate_content: Flag;
  overview_cadence_days: number | null;
  tracking_requested_at: string | null;
  promoting_at: string | null;
  notice: JsonText<EntityNotice> | null;
  self_declared: JsonText<string[]>;
  manifest_hash: string | null;
  manifest_checked_at: string | null;
  embedded_at: string | null;
  // Visible releases of visible sources, maintained by writes so that the org list reads no release.
  release_count: number;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

interface OrgAccountRow {
  id: string;
  org_id: string;
  platform: string;
  handle: string;
  created_at: string;
  deleted_at: string | null;
}

export interface ProductRow {
  id: string;
  org_id: string;
  slug: string;
  name: string;
  name_key: string;
  url: string | null;
  description: string | null;
  category: Category | null;
  kind: Kind | null;
  avatar_url: string | null;
  is_hidden: Flag;
  notice: JsonText<EntityNotice> | null;
  embedded_at: string | null;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

interface DomainAliasRow {
  id: string;
  domain: string;
  org_id: string | null;
  product_id: string | null;
  created_at: string;
  deleted_at: string | null;
}

export interface TagRow {
  id: string;
  slug: string;
  name: string;
  name_key: string;
  created_at: string;
}

interface OrgTagRow {
  org_id: string;
  tag_id: string;
}

interface ProductTagRow {
  product_id: string;
  tag_id: string;
}

export interface SourceRow {
  id: string;
  org_id: string | null;
  product_id: string | null;
  slug: string;
  name: string;
  name_key: string;
  type: SourceType;
  url: string;
  url_key: string;
  kind: Kind | null;
  feed_url: string | null;
  feed_type: FeedType | null;
  github_coordinate: string | null;
  github_id: number | null;
  former_coordinates: JsonText<string[]>;
  is_fork: Flag;
  app_id: string | null;
  app_platform: AppPlatform | null;
  app_storefront: string | null;
  app_icon_url: string | null;
  video_provider: VideoProvider | null;
  video_feed: string | null;
  changelog_url: string | null;
  parser: string | null;
  release_type: ReleaseType | null;
  version_scheme: VersionScheme | null;
  settings: JsonText<SourceSettings>;
  extra: JsonText<Record<string, unknown>>;
  is_primary: Flag;
  is_hidden: Flag;
  discovery: Discovery;
  fetch_priority: FetchPriority;
  last_fetched_at: string | null;
  last_polled_at: string | null;
  change_detected_at: string | null;
  next_fetch_after: string | null;
  last_looked_up_at: string | null;
  last_content_hash: string | null;
  last_outcome: FetchOutcome | null;
  failing_since: string | null;
  // The last time an operator wrote releases, and the last time a listing of all releases was read to its end.
  releases_written_at: string | null;
  listing_completed_at: string | null;
  consecutive_no_change: number;
  consecutive_errors: number;
  median_gap_days: number | null;
  last_retiered_at: string | null;
  stars: number | null;
  stars_fetched_at: string | null;
  // The repository is archived.
  archived: Flag;
  notice: JsonText<EntityNotice> | null;
  embedded_at: string | null;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

// What adapters and jobs remember of a source between their runs, by name; values are JSON.
interface SourceMemoryRow {
  source_id: string;
  name: string;
  value: string;
  stored_at: string;
}

interface SourceValidatorRow {
  source_id: string;
  endpoint: string;
  etag: string | null;
  last_modified: string | null;
  content_hash: string | null;
  token_fingerprint: string | null;
  stored_at: string;
}

export interface ReleaseRow {
  seq: number;
  id: string;
  source_id: string;
  org_id: string | null;
  product_id: string | null;
  identity_key: string;
  guid: string | null;
  url: string | null;
  version: string | null;
  version_sort: string | null;
  package_part: string | null;
  type: ReleaseType;
  origin: string;
  title: string;
  content: string;
  summary: string;
  title_generated: string | null;
  title_short: string | null;
  breaking: Breaking;
  migration_notes: string | null;
  importance: number | null;
  composition: JsonText<Composition> | null;
  derived_by: DerivedBy;
  media: JsonText<MediaItem[]>;
  content_hash: string;
  source_hash: string;
  pending_hash: string | null;
  pending_since: string | null;
  content_chars: number;
  content_tokens: number;
  published_at: string | null;
  // published_at, or '' when undated: one not-null key sorts dated rows first on both engines.
  feed_at: string;
  prerelease: Flag;
  suppressed: Flag;
  suppressed_reason: string | null;
  coverage_of: string | null;
  coverage_count: number;
  effective_category: Category | null;
  // 2 listed, 1 coverage side, 0 not shown; time aside.
  listing: number;
  pinned: JsonText<PinnableField[]>;
  revision_count: number;
  doc_key: number;
  // 1 while a full-text row stands under doc_key.
  indexed: Flag;
  embedded_at: string | null;
  fetched_at: string;
  updated_at: string;
}

interface DeletedReleaseRow {
  source_id: string;
  identity_key: string;
  deleted_at: string;
}

// Future-dated releases that figures and events have not taken in yet.
interface PendingReleaseRow {
  release_id: string;
  source_id: string;
  due_at: string;
  announce: Flag;
}

interface ReleaseRevisionRow {
  id: string;
  release_id: string;
  replaced_at: string;
  cause: RevisionCause;
  changed: JsonText<string[]>;
  title: string;
  content: string;
  version: string | null;
  published_at: string | null;
  prerelease: Flag;
  content_hash: string;
  previous_updated_at: string;
}

export interface ReleaseCoverageRow {
  coverage_id: string;
  canonical_id: string;
  reason: string | null;
  decided_by: string;
  decided_at: string;
}

interface CoverageDenialRow {
  release_a: string;
  release_b: string;
  denied_at: string;
}

interface ReleaseDayRow {
  source_id: string;
  day: string;
  count: number;
  // Of all days up to this one.
  through: number;
}

export interface SourceFiguresRow {
  source_id: string;
  release_count: number;
  latest_version: string | null;
  latest_date: string | null;
  latest_added_at: string | null;
  first_date: string | null;
  changed_at: string;
}

export interface ReleaseLocationRow {
  id: string;
  org_id: string;
  product_id: string | null;
  source_id: string | null;
  url: string | null;
  feed: string | null;
  github: string | null;
  appstore: string | null;
  file: string | null;
  title: string | null;
  canonical: Flag;
  basis: LocationBasis;
  match_key: string;
  created_at: string;
  updated_at: string;
  deleted_at: string | null;
}

export interface IgnoredUrlRow {
  id: string;
  org_id: string;
  url: string;
  url_key: string;
  reason: string | null;
  ignored_at: string;
}

export interface BlockedUrlRow {
  id: string;
  pattern: string;
  pattern_key: string;
  type: BlockType;
  reason: string | null;
  created_at: string;
}

export interface SummaryRow {
  id: string;
  source_id: string;
  type: SummaryType;
  year: number;
  month: number;
  // 0 for monthly rows, so that the unique key holds no null.
  window_days: number;
  summary: string;
  release_count: number;
  generated_at: string;
  // What the text was made from; another value there means another text. Null: never compared yet.
  basis: string | null;
}

export interface PageRow {
  id: string;
  scope: Overview['scope'] | Playbook['scope'];
  org_id: string;
  product_id: string | null;
  content: string;
  notes: string | null;
  release_count: number;
  last_contributing_release_at: string | null;
  generated_at: string;
  updated_at: string;
  // operator, rules or model.
  origin: string;
}

// When the summaries of a source were last held against its releases.
interface SummaryPassRow {
  source_id: string;
  changed_at: string;
  day: string;
}

// A release is put before a model once for each of its contents.
interface RefinementRow {
  release_id: string;
  content_hash: string;
  outcome: string;
  at: string;
}

// How far the releases of a source were derived by the rules of today.
export interface DerivationRow {
  source_id: string;
  rules_version: number;
  // The greatest seq that was derived.
  derived_to: number;
  finished: Flag;
  // JSON: sentences that stand in most releases, and what its warning signs mean.
  habits: string;
  // Releases that the habits were counted over.
  counted: number;
  updated_at: string;
}

export interface PageCitationRow {
  id: string;
  page_id: string;
  position: number;
  source_url: string;
  title: string | null;
  release_id: string | null;
  start_index: number;
  end_index: number;
  cited_text: string;
}

// The headings of a changelog file, so that a slice never counts the tokens of a section twice.
export interface HeadingIndex {
  offsets: number[];
  sectionTokens: number[];
}

export interface ChangelogFileRow {
  id: string;
  source_id: string;
  path: string;
  filename: string;
  url: string;
  raw_url: string;
  content: string;
  blob_hash: string;
  bytes: number;
  total_chars: number;
  total_tokens: number;
  headings: JsonText<HeadingIndex>;
  truncated_at: number | null;
  canonical: Flag;
  fetched_at: string;
  parser_version: number;
}

export interface PackageRow {
  id: string;
  ecosystem: Ecosystem;
  name: string;
  source_id: string;
  package_part: string | null;
  origin: PackageOrigin;
  created_at: string;
  updated_at: string;
}

// A name that a repository had once, and the source that follows it.
interface FormerCoordinateRow {
  coordinate: string;
  source_id: string;
}

// What a manifest or the tags of a repository say about a package. The map is decided from all of these.
export interface PackageClaimRow {
  source_id: string;
  // Path of the manifest, or the name behind `tag:`.
  place: string;
  // Of the manifest that was read.
  blob_hash: string | null;
  ecosystem: Ecosystem;
  // Null: the manifest names none that is published.
  name: string | null;
  // The manifest says that it belongs to this repository.
  is_own: Flag;
  package_part: string | null;
}

// Migration notes that were taken from a guide of the repository.
interface GuideNoteRow {
  release_id: string;
  source_id: string;
  notes: string;
}

export interface CollectionRow {
  id: string;
  slug: string;
  name: string;
  name_key: string;
  description: string | null;
  is_featured: Flag;
  embedded_at: string | null;
  created_at: string;
  updated_at: string;
}

interface CollectionMemberRow {
  collection_id: string;
  org_id: string | null;
  product_id: string | null;
  position: number;
  created_at: string;
}

export interface CategoryRow {
  slug: Category;
  name: string | null;
  description: string | null;
  aliases: JsonText<string[]>;
  updated_at: string;
}

export interface FetchLogRow {
  id: string;
  source_id: string;
  trigger: FetchTrigger;
  status: FetchStatus;
  error_category: FetchOutcome | null;
  error: string | null;
  releases_found: number;
  releases_inserted: number;
  releases_updated: number;
  total_releases: number;
  duration_ms: number | null;
  http_status: number | null;
  requests: number | null;
  bytes: number | null;
  created_at: string;
}

interface UsageLogRow {
  id: string;
  operation: string;
  model: string;
  input_tokens: number;
  output_tokens: number;
  source_id: string | null;
  release_count: number | null;
  created_at: string;
}

interface AuditLogRow {
  id: string;
  actor: string;
  action: string;
  target_type: string;
  target_id: string;
  before: JsonText<unknown> | null;
  after: JsonText<unknown> | null;
  created_at: string;
}

export interface FeedbackRow {
  id: string;
  type: FeedbackType;
  message: string;
  contact: string | null;
  surface: string | null;
  client_version: string | null;
  os: string | null;
  status: TriageStatus;
  archived_at: string | null;
  created_at: string;
}

export interface RecommendationRow {
  id: string;
  type: RecommendationType;
  url: string;
  url_key: string;
  note: string | null;
  contact_email: string | null;
  status: TriageStatus;
  archived_at: string | null;
  created_at: string;
}

export interface ApiTokenRow {
  id: string;
  lookup_id: string;
  secret_hash: string;
  name: string;
  scopes: JsonText<string[]>;
  principal_type: PrincipalType;
  principal_id: string | null;
  revoked_at: string | null;
  expires_at: string | null;
  last_used_at: string | null;
  created_at: string;
  created_by: string;
}

export interface EventRow {
  id: string;
  seq: number;
  ts: number;
  type: string;
  release_id: string;
  org_id: string | null;
  product_id: string | null;
  source_id: string;
  payload: string;
  fanned_out_at: string | null;
}

export interface SettingRow {
  key: string;
  // JSON, but for the name of the worker that embeds.
  value: string;
  updated_at: string;
}

interface LimitRow {
  key: string;
  count: number;
  window_ends_at: string;
}

interface CounterRow {
  name: string;
  value: number;
}

export interface IdempotencyRow {
  caller_key: string;
  key: string;
  fingerprint: string;
  state: string;
  status: number | null;
  body: string | null;
  location: string | null;
  created_at: string;
  expires_at: string;
}

// Work for the background. The host is '' for work that talks to nobody.
export interface JobRow {
  id: string;
  key: string;
  kind: string;
  source_id: string | null;
  host: string;
  payload: JsonText<Record<string, unknown>>;
  priority: number;
  due_at: string;
  // What the time of a scheduled fetch was worked out from; another value there means another time.
  basis: string | null;
  // Set while a worker has the job, and left behind by one that died.
  lease_until: string | null;
  leased_at: string | null;
  lease_token: number;
  attempts: number;
  // Asked for again while it ran.
  again_at: string | null;
  last_error: string | null;
  created_at: string;
}

export interface HostRow {
  host: string;
  // When a job of this host may start; null when none waits.
  ready_at: string | null;
  next_request_at: string | null;
  claims: number;
  claimed_at: string | null;
  crawl_delay_ms: number | null;
  budget: string | null;
  robots_origin: string | null;
  robots_text: string | null;
  // Milliseconds of the clock.
  robots_until: number | null;
}

// Answers of lookups that are remembered for a while.
interface LookupRow {
  coordinate: string;
  status: string;
  expires_at: string;
}

interface DomainDemandRow {
  domain: string;
  first_at: string;
  last_at: string;
  hits: number;
  probed_at: string | null;
}

interface MigrationRow {
  number: number;
  name: string;
  applied_at: string;
}

export interface Schema extends SearchTables, AccountTables, WebhookTables {
  orgs: OrgRow;
  org_accounts: OrgAccountRow;
  products: ProductRow;
  domain_aliases: DomainAliasRow;
  tags: TagRow;
  org_tags: OrgTagRow;
  product_tags: ProductTagRow;
  sources: SourceRow;
  source_validators: SourceValidatorRow;
  source_memory: SourceMemoryRow;
  releases: ReleaseRow;
  deleted_releases: DeletedReleaseRow;
  pending_releases: PendingReleaseRow;
  release_revisions: ReleaseRevisionRow;
  release_coverage: ReleaseCoverageRow;
  coverage_denials: CoverageDenialRow;
  release_days: ReleaseDayRow;
  source_figures: SourceFiguresRow;
  release_locations: ReleaseLocationRow;
  ignored_urls: IgnoredUrlRow;
  blocked_urls: BlockedUrlRow;
  summaries: SummaryRow;
  summary_passes: SummaryPassRow;
  refinements: RefinementRow;
  derivations: DerivationRow;
  pages: PageRow;
  page_citations: PageCitationRow;
  changelog_files: ChangelogFileRow;
  packages: PackageRow;
  former_coordinates: FormerCoordinateRow;
  package_claims: PackageClaimRow;
  guide_notes: GuideNoteRow;
  collections: CollectionRow;
  collection_members: CollectionMemberRow;
  categories: CategoryRow;
  fetch_log: FetchLogRow;
  usage_log: UsageLogRow;
  audit_log: AuditLogRow;
  feedback: FeedbackRow;
  recommendations: RecommendationRow;
  api_tokens: ApiTokenRow;
  events: EventRow;
  settings: SettingRow;
  limits: LimitRow;
  counters: CounterRow;
  idempotency: IdempotencyRow;
  jobs: JobRow;
  hosts: HostRow;
  lookups: LookupRow;
  domain_demand: DomainDemandRow;
  schema_migrations: MigrationRow;
}
