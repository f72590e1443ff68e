import { z } from 'zod';
import { category, ECOSYSTEMS, kind, orgStatus } from './enums.ts';
import { location } from './org.ts';

const domainOrg = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  domain: z.string().nullable(),
  description: z.string().nullable(),
  category: category.nullable(),
  avatarUrl: z.string().nullable(),
  matchedVia: z.enum(['primary', 'alias']),
  status: orgStatus,
  locations: z.array(location),
});

const domainProduct = z.object({
  id: z.string(),
  slug: z.string(),
  name: z.string(),
  orgId: z.string(),
  orgSlug: z.string(),
  orgName: z.string(),
  category: category.nullable(),
  kind: kind.nullable(),
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
