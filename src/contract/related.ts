import { z } from 'zod';
import { pick } from '../domain/records.ts';
import { field, imageUrl, sourceNamed } from './fields.ts';
import { rowsOf } from './pagination.ts';
import { appStore, releaseFields } from './release.ts';
import { sourceFields } from './source.ts';

export const RELATED_SCOPES = ['org', 'global'] as const;
export type RelatedScope = (typeof RELATED_SCOPES)[number];

const DEGRADED = [
  'not_configured',
  'provider_error',
  'index_unavailable',
  'index_empty',
  'index_building',
  'anchor_not_embedded',
] as const;

const relatedRelease = z
  .object({
    ...pick(releaseFields, 'id', 'title', 'version', 'url', 'webUrl', 'publishedAt', 'summary'),
    ...pick(releaseFields, 'titleGenerated', 'titleShort', 'importance', 'security'),
    thumbnail: z
      .object({ url: imageUrl, alt: field.alt.optional() })
      .nullable()
      .describe('The first image; null: there is none.'),
    // The cosine of both vectors; the order also depends on age and length.
    score: field.score,
    source: z
      .object({
        ...sourceNamed,
        productName: field.productName.nullable(),
        orgSlug: field.orgSlug.nullable(),
        orgName: field.orgName.nullable(),
        orgAvatarUrl: field.orgAvatarUrl.nullable(),
        appStore: appStore.optional(),
      })
      .describe('The source.'),
  })
  .meta({ id: 'RelatedRelease' });

const relatedSource = z
  .object({
    ...pick(sourceFields, 'id', 'slug', 'name', 'type', 'url'),
    score: field.score,
    orgSlug: field.orgSlug.nullable(),
    orgName: field.orgName.nullable(),
    orgAvatarUrl: field.orgAvatarUrl.nullable(),
    releaseCount: field.releaseCount,
    recentCount: field.recentCount,
    latestDate: field.lastActivity.nullable(),
    latestTitle: z
      .string()
      .nullable()
      .meta({ description: 'Title of the newest release; null: there is none.', example: 'Acme CLI 2.0' }),
    latestVersion: field.latestVersion.nullable(),
  })
  .meta({ id: 'RelatedSource' });

const envelope = {
  scope: z.enum(RELATED_SCOPES).describe('Whether one organization or all of them were searched.'),
  degraded: field.degraded,
  degradedReason: z.enum(DEGRADED).optional().describe('Why the answer is degraded.'),
};

export const relatedReleases = z.object({ ...envelope, items: rowsOf(relatedRelease) }).meta({ id: 'RelatedReleases' });
export const relatedSources = z.object({ ...envelope, items: rowsOf(relatedSource) }).meta({ id: 'RelatedSources' });

export type RelatedRelease = z.output<typeof relatedRelease>;
export type RelatedSource = z.output<typeof relatedSource>;
export type RelatedReleases = z.output<typeof relatedReleases>;
