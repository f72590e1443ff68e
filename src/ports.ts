// What the one write path of a release needs from the capabilities to its right; the composition root fills these in.

import type { Context, WriteContext } from './context.ts';
import type { Breaking, EntityType, Kind, ReleaseType, SourceType } from './contract/enums.ts';
import type { Habits, NotesDigest } from './domain/notes/index.ts';
import type { Composition } from './domain/notes/types.ts';
import type { DegradedReason, SearchFilter, VectorAnswer } from './domain/retrieval/retrievers.ts';
import type { OrgRow, ProductRow } from './store/schema/orgs.ts';
import type { ReleaseRow } from './store/schema/releases.ts';
import type { SourceRow } from './store/schema/sources.ts';

export interface DeriveInput {
  title: string;
  content: string;
  version: string | null;
  versionNumbers: readonly string[];
  step: 'major' | 'minor' | 'patch' | null;
  prerelease: boolean;
  type: ReleaseType;
  origin: string;
  names: readonly string[];
  displayName: string;
  habits?: Habits | undefined;
  // What was read of this very text beforehand.
  digest?: NotesDigest | undefined;
}

export interface DerivedFields {
  summary: string;
  titleShort: string | null;
  titleGenerated: string | null;
  breaking: Breaking;
  migrationNotes: string | null;
  importance: number | null;
  composition: Composition | null;
}

type IndexedFields = Pick<
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
  kind: Kind | null;
  sourceType: SourceType;
  productName: string | null;
}

export interface FeedMatch {
  q: string;
  scope: { org?: string; product?: string; source?: string; category?: string };
  // An undated row may have an order time and stand among the dated ones.
  dates: 'dated' | 'undated' | 'any';
  includePrereleases: boolean;
  includeCoverage: boolean;
  // Filters that stand in the index, too, so that a word which everything has does not bring up what they keep out.
  filter?: Pick<SearchFilter, 'kinds' | 'sourceTypes' | 'excludedSourceTypes' | 'type' | 'breaking' | 'minImportance'>;
  // Few documents of the range are within the scope: the index leaps from one to the next.
  sparse?: boolean;
  // Inclusive bounds of the key.
  minKey: number;
  maxKey: number;
  limit: number;
}

export interface AnnouncedRelease {
  release: ReleaseRow;
  source: { slug: string; name: string; type: SourceType };
  org: { slug: string; name: string; avatarUrl: string | null; githubHandle: string | null } | null;
  product: { slug: string; name: string } | null;
}

// Deleted softly or for good.
export interface DeletedEntities {
  orgId?: string;
  sourceIds?: readonly string[];
  productIds?: readonly string[];
}

export interface EntityRef {
  type: EntityType;
  id: string;
}

export interface ChunkOwner {
  source: SourceRow;
  org: OrgRow | null;
  product: ProductRow | null;
  visible: boolean;
}

export type VectorKind = 'release' | 'chunk' | 'entity';

export type EmbeddedEntity = Exclude<EntityType, 'collection'>;

export interface VectorSearch {
  // The query, embedded once however many retrievers ask; or a vector of the space in use.
  text?: string;
  vector?: Float32Array;
  kind: VectorKind;
  filter: SearchFilter;
  // Whatever belongs to these orgs is passed over.
  exceptOrgIds?: readonly string[];
  // Among entities, those of one type alone.
  entityType?: EmbeddedEntity;
  limit: number;
}

export type StoredVector = { vector: Float32Array } | { degraded: DegradedReason | 'anchor_not_embedded' };

interface VectorStatus {
  // Embedder, dimensions and recipe of the texts; null while nothing was embedded or asked.
  space: string | null;
  // Vectors in the indexes of this process.
  counts: Record<VectorKind, number>;
  // What a retriever of this embedder counts in the fusion.
  weight: number;
  degraded?: DegradedReason;
}

export interface Ports {
  derive(input: DeriveInput): DerivedFields;
  fullText: {
    // Releases in rising key order; a row replaces the one under its key.
    write(ctx: WriteContext, releases: readonly IndexableRelease[]): Promise<void>;
    remove(ctx: WriteContext, docKeys: readonly number[]): Promise<void>;
    // Keys of matching rows, highest first. The caller re-checks every other filter on the rows themselves.
    match(ctx: Context, match: FeedMatch): Promise<number[]>;
    // Which of these rows have the words of `q`, in any order. Null when that is no quicker to tell than all that have them.
    matchAmong(ctx: Context, among: { q: string; keys: readonly number[] }): Promise<number[] | null>;
  };
  names: {
    // After entities were made, renamed, moved to another address or erased: they are found by what they are called now.
    refresh(ctx: WriteContext, entities: readonly EntityRef[]): Promise<unknown>;
  };
  chunks: {
    // After a changelog file was stored or removed.
    rebuild(ctx: WriteContext, file: { sourceId: string; path: string }): Promise<unknown>;
    // After a source was hidden, shown, moved or labelled anew.
    relist(ctx: WriteContext, owner: ChunkOwner): Promise<void>;
    // Before sources are erased.
    erase(ctx: WriteContext, sourceIds: readonly string[]): Promise<void>;
  };
  coverage: {
    // Links new releases to others of the same launch; returns those that now stand behind another.
    cover(
      ctx: WriteContext,
      sourceInOrg: { source: SourceRow; org: OrgRow | null; visible: boolean },
      releaseIds: readonly string[],
    ): Promise<ReadonlySet<string>>;
  };
  settings: {
    // The settings of a source were changed; what they say about its stored releases follows in a job.
    changed(ctx: WriteContext, before: SourceRow, after: SourceRow): Promise<void>;
  };
  events: {
    // Writes one release.created event each; returns how many were new.
    record(ctx: WriteContext, releases: readonly AnnouncedRelease[]): Promise<number>;
    // Whether there is an event of this release.
    exists(ctx: WriteContext, releaseId: string): Promise<boolean>;
  };
  subscriptions: {
    // Webhooks that name what is deleted end with it.
    dropTargets(ctx: WriteContext, deleted: DeletedEntities): Promise<void>;
    // Webhooks that name a source which now belongs elsewhere go along, or end.
    moveTarget(ctx: WriteContext, source: SourceRow): Promise<void>;
    // Webhooks of an account stop with it, and start again with it.
    pauseOwner(ctx: WriteContext, input: { userId: string; paused: boolean }): Promise<void>;
  };
  vectors: {
    // Nearest first; never throws for what the embedder or the index lacks.
    search(ctx: Context, search: VectorSearch): Promise<VectorAnswer>;
    // The vector that a release or entity has in the space in use.
    stored(ctx: Context, thing: { kind: VectorKind; ref: string }): Promise<StoredVector>;
    // After a commit that wrote vectors: the index of this process takes them in at once.
    follow(ctx: Context): Promise<void>;
    status(): VectorStatus;
    close(): Promise<void>;
  };
}
