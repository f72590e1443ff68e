import { z } from 'zod';
import { count } from './pagination.ts';
import { pick } from './pick.ts';
import { appStore, releaseFields } from './release.ts';
import { timestamp } from './scalars.ts';
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
    thumbnail: z.object({ url: z.string(), alt: z.string().optional() }).nullable(),
    // The cosine of both vectors; the order also depends on age and length.
    score: z.number(),
    source: z.object({
      id: z.string(),
      slug: z.string(),
      name: z.string(),
      productName: z.string().nullable(),
      orgSlug: z.string().nullable(),
      orgName: z.string().nullable(),
      orgAvatarUrl: z.string().nullable(),
      appStore: appStore.optional(),
    }),
  })
  .meta({ id: 'RelatedRelease' });

const relatedSource = z
  .object({
    ...pick(sourceFields, 'id', 'slug', 'name', 'type', 'url'),
    score: z.number(),
    orgSlug: z.string().nullable(),
    orgName: z.string().nullable(),
    orgAvatarUrl: z.string().nullable(),
    releaseCount: count,
    recentCount: count,
    latestDate: timestamp.nullable(),
    latestTitle: z.string().nullable(),
    latestVersion: z.string().nullable(),
  })
  .meta({ id: 'RelatedSource' });

const envelope = {
  scope: z.enum(RELATED_SCOPES),
  degraded: z.boolean(),
  degradedReason: z.enum(DEGRADED).optional(),
};

export const relatedReleases = z
  .object({ ...envelope, items: z.array(relatedRelease) })
  .meta({ id: 'RelatedReleases' });
export const relatedSources = z.object({ ...envelope, items: z.array(relatedSource) }).meta({ id: 'RelatedSources' });

export type RelatedRelease = z.output<typeof relatedRelease>;
export type RelatedSource = z.output<typeof relatedSource>;
export type RelatedReleases = z.output<typeof relatedReleases>;
