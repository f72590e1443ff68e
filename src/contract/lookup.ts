import { z } from 'zod';
import { pick } from '../domain/records.ts';
import { field } from './fields.ts';
import { location, orgCore, orgFields } from './org.ts';
import { productFields } from './product.ts';

const domainOrg = z
  .object({
    ...orgCore,
    matchedVia: z.enum(['primary', 'alias']).describe('Whether the domain is the primary one or an alias.'),
    status: orgFields.status,
    locations: z.array(location).describe('Where the organization publishes its releases, as far as that is known.'),
  })
  .describe('The organization; null where there is none.');

const domainProduct = z.object({
  ...pick(productFields, 'id', 'slug', 'name', 'orgId'),
  orgSlug: field.orgSlug,
  orgName: field.orgName,
  ...pick(productFields, 'category', 'kind'),
});

export const domainLookup = z
  .object({
    domain: field.domain,
    org: domainOrg.nullable(),
    products: z.array(domainProduct).describe('Products, by name.'),
  })
  .meta({ id: 'DomainLookup' });

export const sourceLookup = z
  .object({ sourceId: field.sourceId, sourceSlug: field.sourceSlug, orgSlug: field.orgSlug.nullable() })
  .meta({ id: 'SourceLookup' });

export const productLookup = z
  .object({ ...pick(field, 'productId', 'productSlug', 'orgSlug') })
  .meta({ id: 'ProductLookup' });

export const packageLookup = z
  .object({
    ecosystem: field.ecosystem,
    name: field.packageName,
    sourceId: field.sourceId,
    sourceSlug: field.sourceSlug,
    orgSlug: field.orgSlug.nullable(),
    packagePart: field.packagePart.nullable(),
  })
  .meta({ id: 'PackageLookup' });

export type DomainLookup = z.infer<typeof domainLookup>;
export type SourceLookup = z.infer<typeof sourceLookup>;
export type ProductLookup = z.infer<typeof productLookup>;
export type PackageLookup = z.infer<typeof packageLookup>;
