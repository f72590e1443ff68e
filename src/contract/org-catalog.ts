import { z } from 'zod';
import { category, kind, sourceType } from './enums.ts';
import { productDetail } from './product.ts';
import { sourceDetail } from './source.ts';

const productEntry = z.object({
  entryType: z.literal('product'),
  kind: kind.nullable(),
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  url: z.string().nullable(),
  description: z.string().nullable(),
  category: category.nullable(),
});

const sourceEntry = z.object({
  entryType: z.literal('source'),
  kind: kind.nullable(),
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  type: sourceType,
  url: z.string(),
  productId: z.string().nullable(),
});

export const orgCatalog = z
  .object({
    org: z.object({ id: z.string(), slug: z.string(), name: z.string() }),
    items: z.array(z.discriminatedUnion('entryType', [productEntry, sourceEntry])),
  })
  .meta({ id: 'OrgCatalog' });

// What a bare slug under an org turned out to be.
export const resolvedEntry = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('product'), product: productDetail }),
    z.object({ kind: z.literal('source'), source: sourceDetail }),
  ])
  .meta({ id: 'ResolvedEntry' });

export type OrgCatalog = z.infer<typeof orgCatalog>;
export type ResolvedEntry = z.infer<typeof resolvedEntry>;
