import { z } from 'zod';
import { pick } from '../domain/records.ts';
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
import { field, imageUrl, orgNamed, productNamed, sourceNamed } from './fields.ts';
import { count, cursorPagination } from './pagination.ts';
import { timestamp } from './scalars.ts';

export const mediaItem = z
  .object({
    type: z.enum(MEDIA_TYPES).describe('Sort of media.'),
    url: imageUrl,
    alt: field.alt.optional(),
    r2Key: z.string().optional().describe('Name of the stored copy.'),
    r2Url: z.string().optional().describe('Address of the stored copy.'),
    linkUrl: z.string().optional().describe('Address that the image links to.'),
  })
  .meta({ id: 'MediaItem' });

export const composition = z
  .object({
    bugs: count.describe('Number of fixes.'),
    features: count.describe('Number of new features.'),
    enhancements: count.describe('Number of improvements.'),
  })
  .meta({ id: 'Composition' })
  .meta({
    description: 'How many fixes, features and enhancements the text lists; null where it cannot be told.',
    example: { bugs: 0, features: 0, enhancements: 1 },
  });

export const appStore = z
  .object({ platform: z.enum(APP_PLATFORMS).describe('Name of the platform.'), iconUrl: field.iconUrl.nullable() })
  .describe('The app behind a source that is read from an app store.');
export const video = z
  .object({ provider: z.enum(VIDEO_PROVIDERS).describe('Service that hosts it; null where none was recognized.') })
  .describe('The service behind a source of videos.');

const releaseSource = z
  .object({
    ...sourceNamed,
    type: sourceType,
    kind: kind.nullable(),
    orgSlug: field.orgSlug.nullable(),
    orgName: field.orgName.nullable(),
    orgAvatarUrl: field.orgAvatarUrl.nullable(),
    orgGithubHandle: field.githubHandle.nullable(),
    appStore: appStore.optional(),
    video: video.optional(),
  })
  .meta({ id: 'ReleaseSource' });

const releaseProduct = z
  .object({ ...productNamed, kind: kind.nullable() })
  .describe('The product; null where there is none.');
const releaseOrg = z.object(orgNamed);

// The fields that are made from the row of a release; every shape of a release picks from them.
export const releaseFields = {
  id: field.id,
  sourceId: field.sourceId,
  version: field.version.nullable(),
  title: field.title,
  summary: field.summary,
  description: field.description.meta({ example: 'Faster builds, and the `--legacy` flag is gone.' }),
  publishedAt: field.publishedAt.nullable(),
  fetchedAt: field.fetchedAt,
  updatedAt: field.updatedAt,
  url: field.url.meta({ example: 'https://github.com/acme/cli/releases/tag/v2.0.0' }).nullable(),
  webUrl: field.webUrl,
  media: z.array(mediaItem).meta({ description: 'Images and videos of the release.', example: [] }),
  type: releaseType.describe('Whether the entry is a release of its own or a roundup of several.'),
  prerelease: field.prerelease,
  titleGenerated: field.titleGenerated.nullable(),
  titleShort: field.titleShort.nullable(),
  breaking,
  migrationNotes: field.migrationNotes.nullable(),
  importance: field.importance.min(1).max(5).nullable(),
  coverageCount: count.meta({ description: 'How many other releases tell of the same launch.', example: 0 }),
  coverageOf: z.string().nullable().meta({
    description: 'Id of the canonical release of the launch; null when this one stands for itself.',
    example: null,
  }),
  contentChars: count.meta({ description: 'Length of the full text in characters.', example: 104 }),
  contentTokens: count.meta({ description: 'Estimated length of the full text in tokens.', example: 26 }),
  composition: composition.nullable(),
  security: field.security,
};

const leanFields = {
  ...pick(releaseFields, 'id'),
  orgId: field.orgId.nullable(),
  ...releaseFields,
  source: releaseSource.describe('The source.'),
  org: releaseOrg.nullable().describe('The organization; null where there is none.'),
  product: releaseProduct.nullable(),
  groupSlug: z
    .string()
    .meta({ description: 'Slug of the product, else of the source; for grouping in lists.', example: 'acme-cli' }),
  groupName: z
    .string()
    .meta({ description: 'Name of the product, else of the source; for grouping in lists.', example: 'Acme CLI' }),
};

// Further fields of the row, which only callers with write scope see.
const storedFields = {
  guid: field.guid.nullable(),
  versionSort: z.string().nullable().meta({
    description: 'Key that orders versions as text; null where the version has no order.',
    example: '0000000002.0000000000.0000000000',
  }),
  packagePart: field.packagePart.nullable(),
  contentHash: field.contentHash,
  suppressed: field.suppressed,
  suppressedReason: z
    .string()
    .nullable()
    .meta({ description: 'Why it was taken out of public view; null: it was not.', example: null }),
  suppressedBy: z
    .enum(SUPPRESSED_BY)
    .nullable()
    .meta({ description: 'Who took it out of public view; null: nobody.', example: null }),
  pinned: z.array(z.string()).describe('Fields that an operator set and fetches leave alone.'),
  revisionCount: count.describe('Number of earlier states.'),
  embeddedAt: field.embeddedAt.nullable(),
};

const withdrawn = z.literal(true).optional().meta({
  description: 'Taken back by its author, or yanked or unpublished at its package registry; absent otherwise.',
});

const authored = z
  .object({
    by: field.orgSlug.nullable(),
    via: z.enum(['token']).describe('How the author was known.'),
    at: timestamp.describe('When the author published it here.'),
  })
  .describe('Published here by its author, whose text later fetches leave alone; absent otherwise.');

const leanReleaseItem = z.object(leanFields).meta({ id: 'LeanReleaseItem' });
export const releaseItem = z.object({ ...leanFields, content: field.content }).meta({ id: 'ReleaseItem' });
// A feed carries `content` unless the caller asked for lean items.
export const feedItem = z
  .object({ ...leanFields, withdrawn, authored: authored.optional(), content: field.content.optional() })
  .meta({ id: 'FeedItem' });

export const releaseRow = z
  .object({ ...leanFields, content: field.content, ...storedFields })
  .meta({ id: 'ReleaseRow' });

export const releaseDetail = z
  .object({
    ...leanFields,
    withdrawn,
    authored: authored
      .extend({
        differs: z
          .object({
            at: timestamp.describe('When the source was first seen to say something else.'),
            fields: z.array(z.string()).meta({ description: 'In what it differs.', example: ['content'] }),
          })
          .nullable()
          .describe('What the source says otherwise; null: nothing that was seen.'),
      })
      .describe('Published here by its author, and what the source says otherwise; absent otherwise.')
      .optional(),
    content: field.content,
    org: releaseOrg
      .extend({ avatarUrl: field.avatarUrl.nullable(), discovery, isHidden: field.isHidden })
      .nullable()
      .describe('The organization; null where there is none.'),
    sourceName: field.sourceName,
    sourceSlug: field.sourceSlug,
    sourceType,
    sourceIsHidden: z
      .boolean()
      .meta({ description: 'Whether the source is left out of public lists.', example: false }),
    appStore: appStore.nullable(),
    video: video.nullable(),
    contentHash: storedFields.contentHash,
    effectiveCategory: z
      .string()
      .nullable()
      .meta({ description: 'Category of the product, else of the organization.', example: 'devops' }),
    ...pick(storedFields, 'suppressed', 'suppressedReason', 'suppressedBy', 'embeddedAt', 'versionSort'),
    derivedBy: z.enum(DERIVED_BY).describe('What worked out the derived fields.'),
    revisionCount: storedFields.revisionCount,
    coverage: z
      .object({
        role: z.enum(['standalone', 'canonical', 'coverage']).describe('Part that the release plays in its launch.'),
        canonicalId: field.canonicalId.nullable(),
      })
      .describe('Whether other releases tell of the same launch.'),
  })
  .meta({ id: 'ReleaseDetail' });

export const releaseFeed = z
  .object({
    releases: z.array(feedItem).describe('Releases, newest first.'),
    pagination: cursorPagination,
  })
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
