import { z } from 'zod';
import { orgName } from './org.ts';
import { pick } from './pick.ts';
import { productDetail, productFields } from './product.ts';
import { sourceDetail, sourceFields } from './source.ts';

const productEntry = z.object({
  entryType: z.literal('product'),
  ...pick(productFields, 'kind', 'id', 'slug', 'name', 'url', 'description', 'category'),
});

const sourceEntry = z.object({
  entryType: z.literal('source'),
  ...pick(sourceFields, 'kind', 'id', 'slug', 'name', 'type', 'url', 'productId'),
});

export const orgCatalog = z
  .object({
    org: z.object(orgName),
    items: z.array(z.discriminatedUnion('entryType', [productEntry, sourceEntry])),
  })
  .meta({ id: 'OrgCatalog' });

// The product or source that a slug under an org names.
export const resolvedEntry = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('product'), product: productDetail }),
    z.object({ kind: z.literal('source'), source: sourceDetail }),
  ])
  .meta({ id: 'ResolvedEntry' });

export type OrgCatalog = z.infer<typeof orgCatalog>;
export type ResolvedEntry = z.infer<typeof resolvedEntry>;
