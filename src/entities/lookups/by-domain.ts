import { type Context, queries } from '../../context.ts';
import { badRequest, notFound } from '../../contract/errors.ts';
import type { DomainLookup } from '../../contract/lookup.ts';
import { normalizeDomain } from '../../domain/slugs.ts';
import type { OrgRow } from '../../store/schema/orgs.ts';
import { countedSources } from '../activity/counts.ts';
import { locationRows, toLocation } from '../orgs/locations.ts';
import { orgCore, orgFields } from '../orgs/org-fields.ts';
import { visibleProducts } from '../orgs/products.ts';
import { findOrg } from '../resolve.ts';
import { visibleProduct } from '../visible.ts';

// The owners of a domain: the org that has it, as its own or as an alias, and the products that have it as an alias.
export async function lookUpDomain(ctx: Context, input: { domain: string }): Promise<DomainLookup> {
  const domain = normalizeDomain(input.domain);
  if (domain === null) throw badRequest('domain', 'must be a domain or an http(s) URL of one');
  const org = await findOrg(ctx, domain);
  const products = await productsOf(ctx, domain);
  const visible = org !== null && org.is_hidden === 0;
  if (!visible && products.length === 0) throw notFound('domain', domain, { parameter: 'domain' });
  return { domain, org: visible ? await toDomainOrg(ctx, org, domain) : null, products };
}

async function toDomainOrg(ctx: Context, org: OrgRow, domain: string): Promise<NonNullable<DomainLookup['org']>> {
  const shown = [...(await visibleProducts(ctx, org.id)), ...(await countedSources(ctx, { orgId: org.id }))];
  const ids = new Set(shown.map((entity) => entity.id));
  const fields = orgFields(org);
  return {
    ...orgCore(org),
    matchedVia: org.domain === domain ? 'primary' : 'alias',
    status: fields.status,
    locations: (await locationRows(ctx, org.id)).map((row) => toLocation(row, ids)),
  };
}

function productsOf(ctx: Context, domain: string): Promise<DomainLookup['products']> {
  return queries(ctx)
    .selectFrom('domain_aliases as a')
    .innerJoin('products as p', 'p.id', 'a.product_id')
    .innerJoin('orgs as o', 'o.id', 'p.org_id')
    .select(['p.id', 'p.slug', 'p.name', 'p.org_id as orgId', 'o.slug as orgSlug', 'o.name as orgName'])
    .select(['p.category', 'p.kind'])
    .where('a.domain', '=', domain)
    .where('a.deleted_at', 'is', null)
    .where(visibleProduct())
    .orderBy('p.name_key')
    .orderBy('p.id')
    .execute();
}
