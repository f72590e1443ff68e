// Which events a stream carries.
import { resolveOrg, resolveProduct, resolveSourceByName } from '../../catalog/resolve.ts';
import type { Context } from '../../context.ts';
import { badRequest } from '../../contract/errors.ts';
import { eventFacts } from '../../domain/webhooks/filters.ts';
import type { StreamEvent } from './events.ts';

interface StreamFilter {
  org?: string;
  product?: string;
  source?: string;
  type?: string;
}

export interface StreamScope {
  orgId: string | null;
  productId: string | null;
  sourceId: string | null;
  type: string | null;
}

// Names are read as the feed of the latest releases reads them; one that nobody has is refused before a stream opens.
export async function streamScope(ctx: Context, { org, product, source, type }: StreamFilter): Promise<StreamScope> {
  if (source && org) throw badRequest('source', 'source and org exclude each other');
  return {
    productId: product ? (await resolveProduct(ctx, { prod: product }, { parameter: 'product' })).product.id : null,
    sourceId: source ? (await resolveSourceByName(ctx, source, 'source')).source.id : null,
    orgId: org ? (await resolveOrg(ctx, org, { parameter: 'org' })).id : null,
    type: type ?? null,
  };
}

export function isInScope({ orgId, productId, sourceId, type }: StreamScope, event: StreamEvent): boolean {
  return (
    (orgId === null || orgId === event.org_id) &&
    (productId === null || productId === event.product_id) &&
    (sourceId === null || sourceId === event.source_id) &&
    (type === null || type === eventFacts(event.payload).type)
  );
}
