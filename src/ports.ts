// The inputs and results of the ports in `context.ts`, by which a capability calls those to its right in the layer plan.
import type { Ecosystem, EntityType, Kind, SourceType } from './contract/enums.ts';
import type { DegradedReason, SearchFilter } from './domain/retrieval/retrievers.ts';
import type { OrgRow, ProductRow } from './store/schema/orgs.ts';
import type { ReleaseRow } from './store/schema/releases.ts';
import type { SourceRow } from './store/schema/sources.ts';

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
  // An undated row may have an order time and be listed among the dated ones.
  dates: 'dated' | 'undated' | 'any';
  includePrereleases: boolean;
  includeCoverage: boolean;
  // Filters that the index can apply too, so that a common word does not return rows that they exclude.
  filter?: Pick<SearchFilter, 'kinds' | 'sourceTypes' | 'excludedSourceTypes' | 'type' | 'breaking' | 'minImportance'>;
  // Few documents of the range are in the scope, so the index skips from one to the next.
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

// Entities of a soft or a hard deletion.
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
  // The query, embedded once for all retrievers; or a vector of the space in use.
  text?: string;
  vector?: Float32Array;
  kind: VectorKind;
  filter: SearchFilter;
  // Results of these orgs are left out.
  exceptOrgIds?: readonly string[];
  // Restricts entities to one type.
  entityType?: EmbeddedEntity;
  limit: number;
}

export type StoredVector = { vector: Float32Array } | { degraded: DegradedReason | 'anchor_not_embedded' };

export interface VectorStatus {
  // Embedder, dimensions and recipe of the texts; null before the first embedding or query.
  space: string | null;
  // The number of vectors in the indexes.
  counts: Record<VectorKind, number>;
  // The weight of a retriever with this embedder in the fusion.
  weight: number;
  degraded?: DegradedReason;
}

// A package that has a reading to be worked on.
export interface OrderedReading {
  ecosystem: Ecosystem;
  name: string;
}
