// What the one write path of a release needs from the capabilities to its right; the composition root fills these in.
import type { Context, WriteContext } from './context.ts';
import type { OrgRow, ReleaseRow, SourceRow } from './store/schema.ts';

export interface DeriveInput {
  title: string;
  content: string;
  version: string | null;
  versionNumbers: readonly string[];
  step: 'major' | 'minor' | 'patch' | null;
  prerelease: boolean;
  type: 'feature' | 'rollup';
  origin: string;
  names: readonly string[];
  displayName: string;
}

export interface DerivedFields {
  summary: string;
  titleShort: string | null;
  titleGenerated: string | null;
  breaking: 'unknown' | 'none' | 'minor' | 'major';
  migrationNotes: string | null;
  importance: number | null;
  composition: { bugs: number; features: number; enhancements: number } | null;
}

export type IndexedFields = Pick<
  ReleaseRow,
  | 'doc_key'
  | 'title'
  | 'title_generated'
  | 'version'
  | 'package_part'
  | 'summary'
  | 'content'
  | 'org_id'
  | 'product_id'
  | 'source_id'
  | 'type'
  | 'breaking'
  | 'importance'
  | 'prerelease'
  | 'listing'
  | 'published_at'
  | 'effective_category'
>;

export interface IndexableRelease extends IndexedFields {
  kind: string | null;
  sourceType: string;
  productName: string | null;
}

export interface FeedMatch {
  q: string;
  scope: { org?: string; product?: string; source?: string; category?: string };
  // Dated and undated rows are asked for apart, because feeds list all dated rows first.
  dated: boolean;
  includePrereleases: boolean;
  includeCoverage: boolean;
  // Inclusive bounds of the key.
  minKey: number;
  maxKey: number;
  limit: number;
}

export interface AnnouncedRelease {
  release: ReleaseRow;
  source: { slug: string; name: string; type: string };
  org: { slug: string; name: string; avatarUrl: string | null; githubHandle: string | null } | null;
  product: { slug: string; name: string } | null;
}

export interface Ports {
  derive(input: DeriveInput): DerivedFields;
  fullText: {
    // Releases in rising key order; a row replaces the one under its key.
    write(ctx: WriteContext, releases: readonly IndexableRelease[]): Promise<void>;
    remove(ctx: WriteContext, docKeys: readonly number[]): Promise<void>;
    // Keys of matching rows, highest first. The caller re-checks every other filter on the rows themselves.
    match(ctx: Context, match: FeedMatch): Promise<number[]>;
  };
  coverage: {
    // Links new releases to others of the same launch; returns those that now stand behind another.
    cover(
      ctx: WriteContext,
      place: { source: SourceRow; org: OrgRow | null; visible: boolean },
      releaseIds: readonly string[],
    ): Promise<ReadonlySet<string>>;
  };
  events: {
    // Writes one release.created event each; returns how many were new.
    record(ctx: WriteContext, releases: readonly AnnouncedRelease[]): Promise<number>;
  };
}
