// Row types of releases, of their revisions and coverage, and of the events that announce them.
import type { Breaking, Category, DerivedBy, ReleaseType, RevisionCause, SuppressedBy } from '../../contract/enums.ts';
import type { MediaItem } from '../../contract/release.ts';
import type { PinnableField } from '../../contract/release-patch.ts';
import type { Composition } from '../../domain/notes/types.ts';
import type { JsonText } from '../json-text.ts';
import type { Bit } from './flag.ts';

export interface ReleaseTables {
  releases: ReleaseRow;
  deleted_releases: DeletedReleaseRow;
  pending_releases: PendingReleaseRow;
  release_revisions: ReleaseRevisionRow;
  authored_releases: AuthoredReleaseRow;
  release_coverage: ReleaseCoverageRow;
  coverage_denials: CoverageDenialRow;
  release_days: ReleaseDayRow;
  events: EventRow;
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
  // The verdict was derived from the number of the version alone.
  by_version: Bit;
  migration_notes: string | null;
  // What the migration notes ask for. Null where there are none, and in a row that was written before steps were stored.
  upgrade_steps: JsonText<string[]> | null;
  importance: number | null;
  composition: JsonText<Composition> | null;
  // It repairs a security problem.
  security: Bit;
  // The published package proves a break in the step to this release.
  proven: Bit;
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
  // Orders releases of the same time, and undated ones, by their versions.
  feed_version: string;
  prerelease: Bit;
  suppressed: Bit;
  suppressed_reason: string | null;
  // Null unless suppressed.
  suppressed_by: SuppressedBy | null;
  coverage_of: string | null;
  coverage_count: number;
  effective_category: Category | null;
  // 2 listed, 1 covered by another release, 0 suppressed, negative while the source is hidden; whether its date has
  // come is not part of it.
  listing: number;
  pinned: JsonText<PinnableField[]>;
  revision_count: number;
  doc_key: number;
  // 1 while there is a full-text row with the key doc_key.
  indexed: Bit;
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
  announce: Bit;
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
  prerelease: Bit;
  content_hash: string;
  previous_updated_at: string;
}

// Written by its author here: what is fetched later from the same source does not replace its text.
export interface AuthoredReleaseRow {
  release_id: string;
  source_id: string;
  via: 'token';
  // The name of the credential.
  by_name: string;
  authored_at: string;
  // When the source was first seen to say something else, in which fields, and the hash of what it said.
  differs_at: string | null;
  differing: JsonText<string[]> | null;
  differing_hash: string | null;
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
  // The number of releases of all days up to this one.
  through: number;
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
