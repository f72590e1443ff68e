import { type Context, queries } from '../../context.ts';
import type { SourceRow } from '../../store/schema/sources.ts';

type CountedOwner = { orgId: string } | { productId: string };

// The sources whose releases count for an org or a product: visible ones, and those that would be visible if the owner
// and its org were. A writer thus reads the same figures of a hidden owner as after unhiding it.
export async function countedSources(ctx: Context, owner: CountedOwner): Promise<SourceRow[]> {
  let query = queries(ctx)
    .selectFrom('sources as s')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .selectAll('s')
    .where('s.deleted_at', 'is', null)
    .where('s.is_hidden', '=', 0);
  query =
    'productId' in owner
      ? query.where('s.product_id', '=', owner.productId)
      : query
          .where('s.org_id', '=', owner.orgId)
          .where((eb) => eb.or([eb('p.is_hidden', 'is', null), eb('p.is_hidden', '=', 0)]));
  return query.orderBy('s.name_key').orderBy('s.id').execute();
}
