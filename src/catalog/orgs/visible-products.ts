import { type Context, queries } from '../../context.ts';
import type { ProductRow } from '../../store/schema.ts';

// By name. Whether the org itself is hidden was decided when it was resolved.
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
