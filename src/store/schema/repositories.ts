// Row types of what is known about the repository behind a source: former names, packages and changelog files.
import type { Ecosystem } from '../../contract/enums.ts';
import type { PackageOrigin } from '../../contract/package.ts';
import type { JsonText } from '../json-text.ts';
import type { Bit } from './flag.ts';

export interface RepositoryTables {
  changelog_files: ChangelogFileRow;
  packages: PackageRow;
  former_coordinates: FormerCoordinateRow;
  package_claims: PackageClaimRow;
}

// A name that a repository had once, and the source that follows it.
interface FormerCoordinateRow {
  coordinate: string;
  source_id: string;
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

// What a manifest or the tags of a repository say about a package. The map is decided from all of these.
export interface PackageClaimRow {
  source_id: string;
  // Path of the manifest, or the name behind `tag:`.
  location: string;
  // The blob hash of the manifest that was read.
  blob_hash: string | null;
  ecosystem: Ecosystem;
  // Null: the manifest names none that is published.
  name: string | null;
  // The manifest says that it belongs to this repository.
  is_own: Bit;
  package_part: string | null;
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
  canonical: Bit;
  fetched_at: string;
  parser_version: number;
}
