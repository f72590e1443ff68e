// Answers of search: one list of hits a section, best first.
import { z } from 'zod';
import { pick } from '../domain/records.ts';
import { LIST_BOUND, MATCHED_BY } from '../domain/retrieval/fusion.ts';
import { collectionFields, memberPreview } from './collection.ts';
import { category, kind, sourceType } from './enums.ts';
import { field, productNamed } from './fields.ts';
import { orgFields } from './org.ts';
import { count } from './pagination.ts';
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
const degradedReason = z.enum(DEGRADED_REASONS).describe('Why the answer is degraded.');
const filterStatus = z.enum(['matched', 'not_found']);
// How a hit was found; `name` means only as one of the newest releases of an entity that the query names.
const matchedBy = z.enum(MATCHED_BY).describe('How the package was found; null: it was not.');
const tier = z.int().min(0).max(5).meta({ description: 'How closely the name matches, 0 (exactly) to 5.', example: 0 });
// Marked ranges [start, end) of the neighbouring text, in UTF-16 units.
const spans = z
  .array(z.tuple([count, count]))
  .meta({ description: 'Matches in the snippet as [start, end) in UTF-16 units.', example: [[0, 6]] });

const packageHit = z
  .object({
    ecosystem: field.ecosystem,
    name: field.packageName,
    latest: z.string().nullable().meta({ description: 'The version that an installation gets; null: not known.' }),
    sourceSlug: z
      .string()
      .nullable()
      .meta({ description: 'The source that tells about it; null: none does.', example: 'acme-cli' }),
    orgSlug: field.orgSlug.nullable(),
    isExact: z.boolean().meta({ description: 'The query is its whole name.' }),
    webUrl: field.webUrl,
  })
  .meta({ id: 'PackageHit' });

const orgHit = z
  .object({
    ...pick(orgFields, 'id', 'slug', 'name', 'domain', 'avatarUrl', 'category', 'status'),
    aliasDomains: field.aliasDomains,
    tier,
  })
  .meta({ id: 'OrgHit' });

const catalogHit = z
  .object({
    entryType: z.enum(['product', 'source']).describe('Whether this is a product or a source.'),
    ...productNamed,
    orgSlug: field.orgSlug.nullable(),
    orgName: field.orgName.nullable(),
    orgAvatarUrl: field.orgAvatarUrl.nullable(),
    category: category.nullable(),
    kind: kind.nullable(),
    sourceSlug: field.sourceSlug.optional(),
    sourceType: sourceType.optional(),
    tier,
  })
  .meta({ id: 'CatalogHit' });

const sourceHit = z
  .object({
    ...pick(sourceFields, 'id', 'slug', 'name', 'type', 'orgSlug', 'orgName', 'productSlug'),
    stars: count.nullable().meta({ description: 'Stars of the repository; null: not known.', example: 4210 }),
    tier,
  })
  .meta({ id: 'SourceHit' });

const collectionHit = z
  .object({
    ...pick(collectionFields, 'slug', 'name', 'description'),
    memberCount: field.memberCount,
    via: z.enum(['direct', 'member']).describe('Whether the collection itself matches or one of its members.'),
    matchedOrgSlugs: z
      .array(z.string())
      .optional()
      .meta({ description: 'Members of the collection that match.', example: ['acme'] }),
    previewMembers: z.array(memberPreview).optional().describe('The first members.'),
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
    ...pick(field, 'id', 'sourceId', 'sourceSlug', 'sourceName'),
    sourceType,
    appStore: appStore.optional(),
    video: video.optional(),
    orgId: field.orgId.nullable(),
    orgSlug: field.orgSlug.nullable(),
    orgName: field.orgName.nullable(),
    productSlug: field.productSlug.nullable(),
    ...pick(releaseFields, 'version', 'title', 'titleGenerated', 'titleShort', 'summary'),
    snippet: field.snippet,
    highlights: spans,
    titleHighlights: spans.meta({ description: 'Matches in the title as [start, end) in UTF-16 units.', example: [] }),
    ...pick(releaseFields, ...HIT_FACTS),
    score: field.score,
    rank: field.rank.min(1),
    matchedBy,
    content: field.content.optional(),
  })
  .meta({ id: 'ReleaseHit' });

const chunkHit = z
  .object({
    ...pick(field, 'sourceId', 'sourceSlug', 'sourceName'),
    orgSlug: field.orgSlug.nullable(),
    orgName: field.orgName.nullable(),
    filePath: z
      .string()
      .meta({ description: 'Path of the changelog file in its repository.', example: 'CHANGELOG.md' }),
    offset: field.offset,
    sectionOffset: z.int().min(1).optional().describe('Where the section begins in the file.'),
    length: count.describe('Length of the part in characters.'),
    heading: z
      .string()
      .nullable()
      .meta({ description: 'Heading that the part stands under; null at the start of a file.', example: 'v2.0.0' }),
    version: field.version.nullable(),
    releaseId: field.releaseId.nullable(),
    snippet: field.snippet,
    highlights: spans,
    score: field.score,
    rank: field.rank.min(1),
    matchedBy,
  })
  .meta({ id: 'ChunkHit' });

const hitCounts = z
  .object({
    package: count.meta({ description: 'Number of packages found.' }),
    org: count.describe('Number of organizations found.'),
    catalog: count.describe('Number of products and sources found.'),
    source: count.describe('Number of sources found.'),
    release: count.describe('Number of releases found.'),
    chunk: count.describe('Number of parts of changelog files found.'),
    collection: count.describe('Number of collections found.'),
  })
  .describe('Number of hits by section.');

const searchMeta = z
  .object({
    mode,
    limit: field.limit.min(1),
    offset: field.offset,
    returned: field.returned,
    hitCap: z.boolean().meta({ description: 'Whether more hits exist than the list can hold.', example: false }),
    hitCounts,
    listed: count.max(LIST_BOUND).meta({ description: 'Places of the whole list that pages are cut from.' }),
    listCap: z.boolean().meta({ description: 'More matches than are listed: the list, or a retriever, was cut.' }),
    lexicalHits: count.meta({ description: 'Listed releases and chunks that hold the words; 0: nothing holds them.' }),
    unknownWords: z
      .array(z.string())
      .optional()
      .meta({ description: 'When the words find nothing: those that no release and no changelog holds.' }),
    degraded: field.degraded,
    ranking: z
      .enum(['full', 'newest'])
      .describe('full: all matches were ranked; newest: of a very common word only the newest.'),
    tookMs: count.meta({ description: 'Time that the search took, in milliseconds.', example: 6 }),
  })
  .meta({ id: 'SearchMeta' });

// These fields are missing in lexical mode, which answers from full-text search alone.
const rankedByMeaning = {
  mode: mode.optional(),
  degraded: field.degraded.optional(),
  degradedReason: degradedReason.optional(),
};

export const searchAnswer = z
  .object({
    query: field.query,
    org: field.orgString.optional(),
    orgStatus: filterStatus.optional().describe('Whether the organization filter names an organization.'),
    product: field.productString.optional(),
    productStatus: filterStatus.optional().describe('Whether the product filter names a product.'),
    source: z.string().optional().meta({ description: 'The source, by slug or id.', example: 'acme/acme-cli' }),
    sourceStatus: filterStatus.optional().describe('Whether the source filter names a source.'),
    domain: field.domain.optional(),
    domainStatus: filterStatus.optional().describe('Whether the domain filter names an organization or product.'),
    collection: z.string().optional().describe('The collection filter as it was sent.'),
    collectionStatus: filterStatus.optional().describe('Whether the collection filter names a collection.'),
    category: category.optional(),
    packages: z
      .array(packageHit)
      .max(MAX_ENTITIES)
      .meta({ description: 'Packages by name; one that is spelled like the query comes first.' }),
    orgs: z.array(orgHit).max(MAX_ENTITIES).describe('Organizations that match, best first.'),
    catalog: z.array(catalogHit).max(MAX_ENTITIES).describe('Products and sources that match, best first.'),
    sources: z.array(sourceHit).max(MAX_ENTITIES).describe('Sources that match, best first.'),
    collections: z.array(collectionHit).max(MAX_ENTITIES).describe('Collections that match, best first.'),
    releases: z.array(releaseHit).describe('Releases that match, best first.'),
    chunks: z.array(chunkHit).optional().describe('Parts of changelog files that match, best first.'),
    ...rankedByMeaning,
    lookup: z
      .object({
        provider: z.literal('github').describe('Service that hosts it; null where none was recognized.'),
        coordinate: z.string().meta({
          description: 'owner/name of a GitHub repository, or org/slug of an entry of the registry.',
          example: 'acme/cli',
        }),
      })
      .nullable()
      .describe('The repository that the query names, when the registry does not hold it; POST it to /v1/lookups.'),
    _meta: z.object({ search: searchMeta.describe('How the search was run.') }).describe('How the answer was made.'),
  })
  .meta({ id: 'SearchAnswer' });

export const releaseSearchAnswer = z
  .object({
    query: field.query,
    releases: z.array(releaseHit).describe('Releases that match, best first.'),
    ...rankedByMeaning,
    _meta: z.object({ search: searchMeta.describe('How the search was run.') }).describe('How the answer was made.'),
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
