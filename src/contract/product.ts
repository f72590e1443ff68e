import { z } from 'zod';
import { category, kind, sourceType } from './enums.ts';
import { overview } from './overview.ts';
import { count, cursorPagination } from './pagination.ts';
import { feedItem } from './release.ts';
import { noticeText, timestamp } from './scalars.ts';

const productFields = {
  id: z.string(),
  name: z.string(),
  slug: z.string(),
  orgId: z.string(),
  url: z.string().nullable(),
  description: z.string().nullable(),
  category: category.nullable(),
  kind: kind.nullable(),
  avatarUrl: z.string().nullable(),
  createdAt: timestamp,
  sourceCount: count,
};

export const productRecord = z
  .object({
    ...productFields,
    orgSlug: z.string(),
    orgName: z.string(),
    releaseCount: count,
    latestDate: timestamp.nullable(),
  })
  .meta({ id: 'ProductRecord' });

export const productRow = z
  .object({
    ...productFields,
    isHidden: z.boolean(),
    tags: z.array(z.string()),
    aliases: z.array(z.string()),
    notice: noticeText.nullable(),
    updatedAt: timestamp,
    embeddedAt: timestamp.nullable(),
    deletedAt: timestamp.nullable(),
    warning: z.string().optional(),
  })
  .meta({ id: 'ProductRow' });

const productSource = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  type: sourceType,
  url: z.string(),
  metadata: z.string(),
  kind: kind.nullable(),
});

export const productDetail = z
  .object({
    ...productFields,
    orgSlug: z.string(),
    orgName: z.string(),
    isHidden: z.boolean(),
    updatedAt: timestamp,
    embeddedAt: timestamp.nullable(),
    deletedAt: timestamp.nullable(),
    releaseCount: count,
    releasesLast30Days: count,
    latestDate: timestamp.nullable(),
    sources: z.array(productSource),
    tags: z.array(z.string()),
    aliases: z.array(z.string()),
    releases: z.array(feedItem),
    pagination: cursorPagination,
    notice: noticeText.nullable(),
    overview: overview.nullable(),
  })
  .meta({ id: 'ProductDetail' });

export type ProductRecord = z.infer<typeof productRecord>;
export type ProductRowShape = z.infer<typeof productRow>;
export type ProductDetail = z.infer<typeof productDetail>;
