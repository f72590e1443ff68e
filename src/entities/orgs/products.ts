import { type Context, queries } from '../../context.ts';
import type { Kind } from '../../contract/enums.ts';
import type { Page } from '../../contract/pagination.ts';
import type { ProductRecord } from '../../contract/product.ts';
import type { ProductRow } from '../../store/schema/orgs.ts';
import { openOrg } from '../open.ts';
import { pageOfList } from '../page-of-list.ts';
import { productRecords } from '../products/product-fields.ts';

export async function listOrgProducts(
  ctx: Context,
  input: { org: string; kind?: Kind; page: number; limit: number },
): Promise<Page<ProductRecord>> {
  const org = await openOrg(ctx, input.org);
  const products = await visibleProducts(ctx, org.id);
  const page = pageOfList(
    products.filter((product) => input.kind === undefined || product.kind === input.kind),
    input,
  );
  return { ...page, items: await productRecords(ctx, page.items) };
}

// Sorted by name. The caller has already checked the visibility of the org.
export function visibleProducts(ctx: Context, orgId: string): Promise<ProductRow[]> {
  return queries(ctx)
    .selectFrom('products')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('deleted_at', 'is', null)
    .where('is_hidden', '=', 0)
    .orderBy('name_key')
    .orderBy('id')
    .execute();
}
