// Answers of search: one list of hits a section, best first.
import { z } from 'zod';
import { LIST_BOUND, MATCHED_BY } from '../domain/retrieval/fusion.ts';
import { collectionFields, memberPreview } from './collection.ts';
import { category, ECOSYSTEMS, kind, sourceType } from './enums.ts';
import { orgFields } from './org.ts';
import { count } from './pagination.ts';
import { pick } from './pick.ts';
import { appStore, releaseFields, video } from './release.ts';
import { sourceFields } from './source.ts';

export const SEARCH_MODES = ['lexical', 'semantic', 'hybrid'] as const;
const DEGRADED_REASONS = [
  'not_configured',
  'provider_error',
  'index_unavailable',
  'index_empty',
  'index_building',
] as const;
export const MAX_ENTITIES = 10;

const mode = z.enum(SEARCH_MODES).describe('How was searched: by words, by meaning or both.');
const degradedReason = z.enum(DEGRADED_REASONS);
const filterStatus = z.enum(['matched', 'not_found']);
// How a hit was found; `name` means only as one of the newest releases of an entity that the query names.
const matchedBy = z.enum(MATCHED_BY);
const tier = z.int().min(0).max(5);
// Marked ranges [start, end) of the neighbouring text, in UTF-16 units.
const spans = z.array(z.tuple([count, count]));

const packageHit = z
  .object({
    ecosystem: z.enum(ECOSYSTEMS),
    name: z.string(),
    latest: z.string().nullable().meta({ description: 'The version that an installation gets; null: not known.' }),
    sourceSlug: z.string().nullable().meta({ description: 'The source that tells about it; null: none does.' }),
    orgSlug: z.string().nullable(),
    isExact: z.boolean().meta({ description: 'The query is its whole name.' }),
    webUrl: z.string(),
  })
  .meta({ id: 'PackageHit' });

const orgHit = z
  .object({
    ...pick(orgFields, 'id', 'slug', 'name', 'domain', 'avatarUrl', 'category', 'status'),
    aliasDomains: z.array(z.string()),
    tier,
  })
  .meta({ id: 'OrgHit' });

const catalogHit = z
  .object({
    entryType: z.enum(['product', 'source']),
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    orgSlug: z.string().nullable(),
    orgName: z.string().nullable(),
    orgAvatarUrl: z.string().nullable(),
    category: category.nullable(),
    kind: kind.nullable(),
    sourceSlug: z.string().optional(),
    sourceType: sourceType.optional(),
    tier,
  })
  .meta({ id: 'CatalogHit' });

const sourceHit = z
  .object({
    ...pick(sourceFields, 'id', 'slug', 'name', 'type', 'orgSlug', 'orgName', 'productSlug'),
    stars: count.nullable(),
    tier,
  })
  .meta({ id: 'SourceHit' });

const collectionHit = z
  .object({
    ...pick(collectionFields, 'slug', 'name', 'description'),
    memberCount: count,
    via: z.enum(['direct', 'member']),
    matchedOrgSlugs: z.array(z.string()).optional(),
    previewMembers: z.array(memberPreview).optional(),
  })
  .meta({ id: 'CollectionHit' });

// What a hit says of its release after the parts that matched.
export const HIT_FACTS = [
  'type',
  'prerelease',
  'breaking',
  'importance',
  'security',
  'coverageCount',
  'media',
  'publishedAt',
  'url',
  'webUrl',
  'contentTokens',
] as const;

const releaseHit = z
  .object({
    id: z.string(),
    sourceId: z.string(),
    sourceSlug: z.string(),
    sourceName: z.string(),
    sourceType,
    appStore: appStore.optional(),
    video: video.optional(),
    orgId: z.string().nullable(),
    orgSlug: z.string().nullable(),
    orgName: z.string().nullable(),
    productSlug: z.string().nullable(),
    ...pick(releaseFields, 'version', 'title', 'titleGenerated', 'titleShort', 'summary'),
    snippet: z.string(),
    highlights: spans,
    titleHighlights: spans,
    ...pick(releaseFields, ...HIT_FACTS),
    score: z.number(),
    rank: z.int().min(1),
    matchedBy,
    content: z.string().optional(),
  })
  .meta({ id: 'ReleaseHit' });

const chunkHit = z
  .object({
    sourceId: z.string(),
    sourceSlug: z.string(),
    sourceName: z.string(),
    orgSlug: z.string().nullable(),
    orgName: z.string().nullable(),
    filePath: z.string(),
    offset: count,
    sectionOffset: z.int().min(1).optional(),
    length: count,
    heading: z.string().nullable(),
    version: z.string().nullable(),
    releaseId: z.string().nullable(),
    snippet: z.string(),
    highlights: spans,
    score: z.number(),
    rank: z.int().min(1),
    matchedBy,
  })
  .meta({ id: 'ChunkHit' });

const hitCounts = z.object({
  package: count.meta({ description: 'Number of packages found.' }),
  org: count,
  catalog: count,
  source: count,
  release: count,
  chunk: count,
  collection: count,
});

const searchMeta = z
  .object({
    mode,
    limit: z.int().min(1),
    offset: count,
    returned: count,
    hitCap: z.boolean(),
    hitCounts,
    listed: count.max(LIST_BOUND).meta({ description: 'Places of the whole list that pages are cut from.' }),
    listCap: z.boolean().meta({ description: 'More matches than are listed: the list, or a retriever, was cut.' }),
    lexicalHits: count.meta({ description: 'Listed releases and chunks that hold the words; 0: nothing holds them.' }),
    unknownWords: z
      .array(z.string())
      .optional()
      .meta({ description: 'When the words find nothing: those that no release and no changelog holds.' }),
    degraded: z.boolean(),
    ranking: z.enum(['full', 'newest']),
    tookMs: count,
  })
  .meta({ id: 'SearchMeta' });

// These fields are missing in lexical mode, which answers from full-text search alone.
const rankedByMeaning = {
  mode: mode.optional(),
  degraded: z.boolean().optional(),
  degradedReason: degradedReason.optional(),
};

export const searchAnswer = z
  .object({
    query: z.string(),
    org: z.string().optional(),
    orgStatus: filterStatus.optional(),
    product: z.string().optional(),
    productStatus: filterStatus.optional(),
    source: z.string().optional(),
    sourceStatus: filterStatus.optional(),
    domain: z.string().optional(),
    domainStatus: filterStatus.optional(),
    collection: z.string().optional(),
    collectionStatus: filterStatus.optional(),
    category: category.optional(),
    packages: z
      .array(packageHit)
      .max(MAX_ENTITIES)
      .meta({ description: 'Packages by name; one that is spelled like the query comes first.' }),
    orgs: z.array(orgHit).max(MAX_ENTITIES),
    catalog: z.array(catalogHit).max(MAX_ENTITIES),
    sources: z.array(sourceHit).max(MAX_ENTITIES),
    collections: z.array(collectionHit).max(MAX_ENTITIES),
    releases: z.array(releaseHit),
    chunks: z.array(chunkHit).optional(),
    ...rankedByMeaning,
    lookup: z.object({ provider: z.literal('github'), coordinate: z.string() }).nullable(),
    _meta: z.object({ search: searchMeta }),
  })
  .meta({ id: 'SearchAnswer' });

export const releaseSearchAnswer = z
  .object({
    query: z.string(),
    releases: z.array(releaseHit),
    ...rankedByMeaning,
    _meta: z.object({ search: searchMeta }),
  })
  .meta({ id: 'ReleaseSearchAnswer' });

export type SearchMode = z.infer<typeof mode>;
export type FilterStatus = z.infer<typeof filterStatus>;
export type PackageHit = z.infer<typeof packageHit>;
export type OrgHit = z.infer<typeof orgHit>;
export type CatalogHit = z.infer<typeof catalogHit>;
export type SourceHit = z.infer<typeof sourceHit>;
export type CollectionHit = z.infer<typeof collectionHit>;
export type ReleaseHit = z.infer<typeof releaseHit>;
export type ChunkHit = z.infer<typeof chunkHit>;
export type SearchMeta = z.infer<typeof searchMeta>;
export type SearchAnswer = z.infer<typeof searchAnswer>;
