import { z } from 'zod';
import { ECOSYSTEMS } from './enums.ts';
import { location, orgCore, orgFields } from './org.ts';
import { pick } from './pick.ts';
import { productFields } from './product.ts';

const domainOrg = z.object({
  ...orgCore,
  matchedVia: z.enum(['primary', 'alias']),
  status: orgFields.status,
  locations: z.array(location),
});

const domainProduct = z.object({
  ...pick(productFields, 'id', 'slug', 'name', 'orgId'),
  orgSlug: z.string(),
  orgName: z.string(),
  ...pick(productFields, 'category', 'kind'),
});

export const domainLookup = z
  .object({ domain: z.string(), org: domainOrg.nullable(), products: z.array(domainProduct) })
  .meta({ id: 'DomainLookup' });

export const sourceLookup = z
  .object({ sourceId: z.string(), sourceSlug: z.string(), orgSlug: z.string().nullable() })
  .meta({ id: 'SourceLookup' });

export const productLookup = z
  .object({ productId: z.string(), productSlug: z.string(), orgSlug: z.string() })
  .meta({ id: 'ProductLookup' });

export const packageLookup = z
  .object({
    ecosystem: z.enum(ECOSYSTEMS),
    name: z.string(),
    sourceId: z.string(),
    sourceSlug: z.string(),
    orgSlug: z.string().nullable(),
    packagePart: z.string().nullable(),
  })
  .meta({ id: 'PackageLookup' });

export type DomainLookup = z.infer<typeof domainLookup>;
export type SourceLookup = z.infer<typeof sourceLookup>;
export type ProductLookup = z.infer<typeof productLookup>;
export type PackageLookup = z.infer<typeof packageLookup>;
