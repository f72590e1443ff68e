import type { WriteContext } from '../../context.ts';
import type { SourceRow } from '../../store/schema/sources.ts';

// One primary source per product, or per org among the sources without product.
export async function clearOtherPrimaries(ctx: WriteContext, source: SourceRow): Promise<void> {
  if (source.org_id === null) return;
  let others = ctx.tx
    .updateTable('sources')
    .set({ is_primary: 0 })
    .where('org_id', '=', source.org_id)
    .where('id', '<>', source.id)
    .where('is_primary', '=', 1);
  if (source.product_id !== null) others = others.where('product_id', '=', source.product_id);
  await others.execute();
}
