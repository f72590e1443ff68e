import { z } from 'zod';
import {
  APP_PLATFORMS,
  breaking,
  DERIVED_BY,
  discovery,
  kind,
  MEDIA_TYPES,
  releaseType,
  SUPPRESSED_BY,
  sourceType,
  VIDEO_PROVIDERS,
} from './enums.ts';
import { count, cursorPagination } from './pagination.ts';
import { pick } from './pick.ts';
import { timestamp } from './scalars.ts';

export const mediaItem = z
  .object({
    type: z.enum(MEDIA_TYPES).describe('Sort of media.'),
    url: z.string(),
    alt: z.string().optional(),
    r2Key: z.string().optional(),
    r2Url: z.string().optional(),
    linkUrl: z.string().optional(),
  })
  .meta({ id: 'MediaItem' });

export const composition = z.object({ bugs: count, features: count, enhancements: count }).meta({ id: 'Composition' });

export const appStore = z.object({ platform: z.enum(APP_PLATFORMS), iconUrl: z.string().nullable() });
export const video = z.object({ provider: z.enum(VIDEO_PROVIDERS) });

const releaseSource = z
  .object({
    id: z.string(),
    slug: z.string(),
    name: z.string(),
    type: sourceType,
    kind: kind.nullable(),
    orgSlug: z.string().nullable(),
    orgName: z.string().nullable(),
    orgAvatarUrl: z.string().nullable(),
    orgGithubHandle: z.string().nullable(),
    appStore: appStore.optional(),
    video: video.optional(),
  })
  .meta({ id: 'ReleaseSource' });

const releaseProduct = z.object({ id: z.string(), slug: z.string(), name: z.string(), kind: kind.nullable() });
const releaseOrg = z.object({ id: z.string(), slug: z.string(), name: z.string() });

// The fields that are made from the row of a release; every shape of a release picks from them.
export const releaseFields = {
  id: z.string(),
  sourceId: z.string(),
  version: z.string().nullable(),
  title: z.string(),
  summary: z.string(),
  description: z.string(),
  publishedAt: timestamp.nullable(),
  fetchedAt: timestamp,
  updatedAt: timestamp,
  url: z.string().nullable(),
  webUrl: z.string(),
  media: z.array(mediaItem),
  type: releaseType,
  prerelease: z.boolean(),
  titleGenerated: z.string().nullable(),
  titleShort: z.string().nullable(),
  breaking,
  migrationNotes: z.string().nullable(),
  importance: z.int().min(1).max(5).nullable(),
  coverageCount: count,
  coverageOf: z.string().nullable(),
  contentChars: count,
  contentTokens: count,
  composition: composition.nullable(),
  security: z.boolean(),
};

const leanFields = {
  ...pick(releaseFields, 'id'),
  orgId: z.string().nullable(),
  ...releaseFields,
  source: releaseSource,
  org: releaseOrg.nullable(),
  product: releaseProduct.nullable(),
  groupSlug: z.string(),
  groupName: z.string(),
};

// Further fields of the row, which only callers with write scope see.
const storedFields = {
  guid: z.string().nullable(),
  versionSort: z.string().nullable(),
  packagePart: z.string().nullable(),
  contentHash: z.string(),
  suppressed: z.boolean(),
  suppressedReason: z.string().nullable(),
  suppressedBy: z.enum(SUPPRESSED_BY).nullable(),
  pinned: z.array(z.string()),
  revisionCount: count,
  embeddedAt: timestamp.nullable(),
};

const leanReleaseItem = z.object(leanFields).meta({ id: 'LeanReleaseItem' });
export const releaseItem = z.object({ ...leanFields, content: z.string() }).meta({ id: 'ReleaseItem' });
// A feed carries `content` unless the caller asked for lean items.
export const feedItem = z.object({ ...leanFields, content: z.string().optional() }).meta({ id: 'FeedItem' });

export const releaseRow = z.object({ ...leanFields, content: z.string(), ...storedFields }).meta({ id: 'ReleaseRow' });

export const releaseDetail = z
  .object({
    ...leanFields,
    content: z.string(),
    org: releaseOrg.extend({ avatarUrl: z.string().nullable(), discovery, isHidden: z.boolean() }).nullable(),
    sourceName: z.string(),
    sourceSlug: z.string(),
    sourceType,
    sourceIsHidden: z.boolean(),
    appStore: appStore.nullable(),
    video: video.nullable(),
    contentHash: storedFields.contentHash,
    effectiveCategory: z.string().nullable(),
    ...pick(storedFields, 'suppressed', 'suppressedReason', 'suppressedBy', 'embeddedAt', 'versionSort'),
    derivedBy: z.enum(DERIVED_BY),
    revisionCount: storedFields.revisionCount,
    coverage: z.object({
      role: z.enum(['standalone', 'canonical', 'coverage']),
      canonicalId: z.string().nullable(),
    }),
  })
  .meta({ id: 'ReleaseDetail' });

export const releaseFeed = z
  .object({ releases: z.array(feedItem), pagination: cursorPagination })
  .meta({ id: 'ReleaseFeed' });

export type ReleaseFields = z.infer<z.ZodObject<typeof releaseFields>>;
export type StoredReleaseFields = z.infer<z.ZodObject<typeof storedFields>>;
export type MediaItem = z.infer<typeof mediaItem>;
export type LeanReleaseItem = z.infer<typeof leanReleaseItem>;
export type ReleaseItem = z.infer<typeof releaseItem>;
export type FeedItem = z.infer<typeof feedItem>;
export type ReleaseFeed = z.infer<typeof releaseFeed>;
export type ReleaseRowShape = z.infer<typeof releaseRow>;
export type ReleaseDetail = z.infer<typeof releaseDetail>;
