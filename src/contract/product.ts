import { z } from 'zod';
import { pick } from '../domain/records.ts';
import { category, kind } from './enums.ts';
import { field, productNamed } from './fields.ts';
import { overview } from './overview.ts';
import { cursorPagination } from './pagination.ts';
import { feedItem } from './release.ts';
import { noticeText } from './scalars.ts';
import { sourceFields } from './source.ts';

// The fields that are made from the row of a product; every shape of a product picks from them.
export const productFields = {
  ...productNamed,
  orgId: field.orgId,
  url: field.url.meta({ example: 'https://acme.example/cli' }).nullable(),
  description: field.description.nullable(),
  category: category.nullable(),
  kind: kind.nullable(),
  avatarUrl: field.avatarUrl.nullable(),
  createdAt: field.createdAt,
  isHidden: field.isHidden,
  notice: noticeText.nullable(),
  updatedAt: field.updatedAt,
  embeddedAt: field.embeddedAt.nullable(),
  deletedAt: field.deletedAt.nullable(),
};

// The first fields of the record, the row and the detail of a product.
const productCore = {
  ...pick(productFields, 'id', 'name', 'slug', 'orgId', 'url', 'description'),
  ...pick(productFields, 'category', 'kind', 'avatarUrl', 'createdAt'),
  sourceCount: field.sourceCount,
};

export const productRecord = z
  .object({
    ...productCore,
    ...pick(field, 'orgSlug', 'orgName', 'releaseCount'),
    latestDate: field.lastActivity.nullable(),
  })
  .meta({ id: 'ProductRecord' });

export const productRow = z
  .object({
    ...productCore,
    isHidden: productFields.isHidden,
    tags: field.tags,
    aliases: field.aliases,
    ...pick(productFields, 'notice', 'updatedAt', 'embeddedAt', 'deletedAt'),
    warning: field.warning.optional(),
  })
  .meta({ id: 'ProductRow' });

const productSource = z.object(pick(sourceFields, 'id', 'slug', 'name', 'type', 'url', 'metadata', 'kind'));

export const productDetail = z
  .object({
    ...productCore,
    orgSlug: field.orgSlug,
    orgName: field.orgName,
    ...pick(productFields, 'isHidden', 'updatedAt', 'embeddedAt', 'deletedAt'),
    releaseCount: field.releaseCount,
    releasesLast30Days: field.recentCount,
    latestDate: field.lastActivity.nullable(),
    sources: z.array(productSource).describe('Sources, by name.'),
    tags: field.tags,
    aliases: field.aliases,
    releases: z.array(feedItem).describe('Releases, newest first.'),
    pagination: cursorPagination,
    notice: productFields.notice,
    overview: overview.nullable().describe('Written overview; null where there is none.'),
  })
  .meta({ id: 'ProductDetail' });

export type ProductFields = z.infer<z.ZodObject<typeof productFields>>;
export type ProductRecord = z.infer<typeof productRecord>;
export type ProductRowShape = z.infer<typeof productRow>;
export type ProductDetail = z.infer<typeof productDetail>;
