import { type Context, queries } from '../../context.ts';
import type { FeedFilter } from './feed-query.ts';

// A writer reads a hidden org as if it were not hidden: its releases carry the negative listing, and sources that are
// hidden themselves still stay out.
export async function hiddenOrgSources(ctx: Context, orgId: string): Promise<Pick<FeedFilter, 'hidden' | 'sourceIds'>> {
  const rows = await queries(ctx)
    .selectFrom('sources as s')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .select('s.id')
    .where('s.org_id', '=', orgId)
    .where('s.deleted_at', 'is', null)
    .where('s.is_hidden', '=', 0)
    .where((eb) => eb.or([eb('p.is_hidden', 'is', null), eb('p.is_hidden', '=', 0)]))
    .execute();
  return { hidden: true, sourceIds: rows.map((row) => row.id) };
}
