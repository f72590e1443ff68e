import { z } from 'zod';
import { category, kind } from './enums.ts';
import { overview } from './overview.ts';
import { count, cursorPagination } from './pagination.ts';
import { pick } from './pick.ts';
import { feedItem } from './release.ts';
import { noticeText, timestamp } from './scalars.ts';
import { sourceFields } from './source.ts';

// The fields that are made from the row of a product; every shape of a product picks from them.
export const productFields = {
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
  isHidden: z.boolean(),
  notice: noticeText.nullable(),
  updatedAt: timestamp,
  embeddedAt: timestamp.nullable(),
  deletedAt: timestamp.nullable(),
};

// The first fields of the record, the row and the detail of a product.
const productCore = {
  ...pick(productFields, 'id', 'name', 'slug', 'orgId', 'url', 'description'),
  ...pick(productFields, 'category', 'kind', 'avatarUrl', 'createdAt'),
  sourceCount: count,
};

export const productRecord = z
  .object({
    ...productCore,
    orgSlug: z.string(),
    orgName: z.string(),
    releaseCount: count,
    latestDate: timestamp.nullable(),
  })
  .meta({ id: 'ProductRecord' });

export const productRow = z
  .object({
    ...productCore,
    isHidden: productFields.isHidden,
    tags: z.array(z.string()),
    aliases: z.array(z.string()),
    ...pick(productFields, 'notice', 'updatedAt', 'embeddedAt', 'deletedAt'),
    warning: z.string().optional(),
  })
  .meta({ id: 'ProductRow' });

const productSource = z.object(pick(sourceFields, 'id', 'slug', 'name', 'type', 'url', 'metadata', 'kind'));

export const productDetail = z
  .object({
    ...productCore,
    orgSlug: z.string(),
    orgName: z.string(),
    ...pick(productFields, 'isHidden', 'updatedAt', 'embeddedAt', 'deletedAt'),
    releaseCount: count,
    releasesLast30Days: count,
    latestDate: timestamp.nullable(),
    sources: z.array(productSource),
    tags: z.array(z.string()),
    aliases: z.array(z.string()),
    releases: z.array(feedItem),
    pagination: cursorPagination,
    notice: productFields.notice,
    overview: overview.nullable(),
  })
  .meta({ id: 'ProductDetail' });

export type ProductFields = z.infer<z.ZodObject<typeof productFields>>;
export type ProductRecord = z.infer<typeof productRecord>;
export type ProductRowShape = z.infer<typeof productRow>;
export type ProductDetail = z.infer<typeof productDetail>;
