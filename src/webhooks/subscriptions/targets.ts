// Resolves the org, source and product that a subscription names.
import { resolveOrg, resolveProduct, resolveSource } from '../../catalog/resolve.ts';
import { type Context, queries } from '../../context.ts';
import { notFound } from '../../contract/errors.ts';
import { idPrefixOf } from '../../domain/ids.ts';
import type { NamedTargets, TargetField } from '../../domain/webhooks/subscription-input.ts';
import type { OrgRow } from '../../store/schema/orgs.ts';
import { refuseField } from '../refusals.ts';

export interface SubscriptionTargets {
  org_id: string | null;
  source_id: string | null;
  product_id: string | null;
}

export async function namedOrg(ctx: Context, named: NamedTargets): Promise<OrgRow> {
  const [value, field] = chosen(named, 'orgSlug', 'orgId');
  if (field === 'orgId' && idPrefixOf(value ?? '') !== 'org') throw notFound('org', value ?? '', { field });
  return resolveOrg(ctx, value ?? '', { field });
}

// Undefined when the call does not mention a filter, null when it clears one.
export async function namedFilters(
  ctx: Context,
  orgId: string,
  named: NamedTargets,
): Promise<{ source_id?: string | null; product_id?: string | null }> {
  const [source, sourceField] = chosen(named, 'sourceSlug', 'sourceId');
  const [product, productField] = chosen(named, 'productSlug', 'productId');
  return {
    ...(source === undefined ? {} : { source_id: source && (await sourceIn(ctx, orgId, source, sourceField)) }),
    ...(product === undefined ? {} : { product_id: product && (await productIn(ctx, orgId, product, productField)) }),
  };
}

// Refuses two filters that no release could match together.
export async function requireTied(
  ctx: Context,
  { source_id, product_id }: Omit<SubscriptionTargets, 'org_id'>,
): Promise<void> {
  if (source_id === null || product_id === null) return;
  const source = await queries(ctx)
    .selectFrom('sources')
    .select('product_id')
    .where('id', '=', source_id)
    .executeTakeFirst();
  if (source?.product_id === product_id) return;
  throw refuseField({ field: 'productSlug', reason: 'the source is not tied to this product' });
}

async function sourceIn(ctx: Context, orgId: string, value: string, field: TargetField): Promise<string> {
  requireForm(value, field, 'src');
  return (await resolveSource(ctx, { org: orgId, source: value }, { field })).source.id;
}

async function productIn(ctx: Context, orgId: string, value: string, field: TargetField): Promise<string> {
  requireForm(value.replace(/^prd_/, 'prod_'), field, 'prod');
  return (await resolveProduct(ctx, { org: orgId, product: value }, { field })).product.id;
}

// A value in an id field that is no id is reported as not found.
function requireForm(value: string, field: TargetField, prefix: 'src' | 'prod'): void {
  if (!field.endsWith('Id') || idPrefixOf(value) === prefix) return;
  throw notFound(prefix === 'src' ? 'source' : 'product', value, { field });
}

function chosen(named: NamedTargets, slug: TargetField, id: TargetField): [string | null | undefined, TargetField] {
  return named[id] === undefined ? [named[slug], slug] : [named[id], id];
}
