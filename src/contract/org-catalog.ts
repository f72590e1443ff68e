import { z } from 'zod';
import { pick } from '../domain/records.ts';
import { orgName } from './org.ts';
import { productDetail, productFields } from './product.ts';
import { sourceDetail, sourceFields } from './source.ts';

const productEntry = z.object({
  entryType: z.literal('product').describe('Whether this is a product or a source.'),
  ...pick(productFields, 'kind', 'id', 'slug', 'name', 'url', 'description', 'category'),
});

const sourceEntry = z.object({
  entryType: z.literal('source').describe('Whether this is a product or a source.'),
  ...pick(sourceFields, 'kind', 'id', 'slug', 'name', 'type', 'url', 'productId'),
});

export const orgCatalog = z
  .object({
    org: z.object(orgName).describe('The organization.'),
    items: z.array(z.discriminatedUnion('entryType', [productEntry, sourceEntry])).describe('Rows of this page.'),
  })
  .meta({ id: 'OrgCatalog' });

// The product or source that a slug under an org names.
export const resolvedEntry = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('product').describe('A product.'),
      product: productDetail.describe('The product.'),
    }),
    z.object({
      kind: z.literal('source').describe('A source.'),
      source: sourceDetail.describe('The source.'),
    }),
  ])
  .meta({ id: 'ResolvedEntry' });

export type OrgCatalog = z.infer<typeof orgCatalog>;
export type ResolvedEntry = z.infer<typeof resolvedEntry>;
