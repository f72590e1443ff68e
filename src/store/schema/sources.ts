// Row types of sources: where releases are read from, their figures, and what is remembered between fetches.
import type {
  AppPlatform,
  Discovery,
  FeedType,
  FetchOutcome,
  FetchPriority,
  Kind,
  ReleaseType,
  SourceType,
  VideoProvider,
} from '../../contract/enums.ts';
import type { EntityNotice } from '../../contract/scalars.ts';
import type { SourceSettings } from '../../contract/source-settings.ts';
import type { SchemeSetting } from '../../domain/versions/index.ts';
import type { JsonText } from '../json-text.ts';
import type { Bit } from './flag.ts';

export interface SourceTables {
  sources: SourceRow;
  source_validators: SourceValidatorRow;
  source_memory: SourceMemoryRow;
  source_figures: SourceFiguresRow;
  source_holds: SourceHoldRow;
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
  is_fork: Bit;
  app_id: string | null;
  app_platform: AppPlatform | null;
  app_storefront: string | null;
  app_icon_url: string | null;
  video_provider: VideoProvider | null;
  video_feed: string | null;
  changelog_url: string | null;
  parser: string | null;
  release_type: ReleaseType | null;
  version_scheme: SchemeSetting | null;
  settings: JsonText<SourceSettings>;
  extra: JsonText<Record<string, unknown>>;
  is_primary: Bit;
  is_hidden: Bit;
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
  archived: Bit;
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

// A source that has brought more than its habit allows; it is paused until an operator has decided.
export interface SourceHoldRow {
  source_id: string;
  held_at: string;
  reason: string;
  found: number;
  allowed: number;
  // The priority that it had before.
  fetch_priority: FetchPriority;
  // Set when an operator has accepted what was found: the next run stores it, and the hold ends.
  accepted_at: string | null;
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

export interface SourceFiguresRow {
  source_id: string;
  release_count: number;
  // Those of them with a date, which is what the days of `release_days` add up to.
  dated_count: number;
  latest_version: string | null;
  latest_date: string | null;
  latest_added_at: string | null;
  first_date: string | null;
  changed_at: string;
}
