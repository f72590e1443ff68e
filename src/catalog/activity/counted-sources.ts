import { type RawBuilder, sql } from 'kysely';
import { type Context, queries } from '../../context.ts';
import type { SourceRow } from '../../store/schema/sources.ts';

export type CountedOwner = { orgId: string } | { productId: string };

// The sources whose releases count for an org or a product: visible ones, and those that would be visible if the owner
// and its org were. A writer thus reads the same figures of a hidden owner as after unhiding it. Expects sources and
// products under the aliases `s` and `p`.
export function isCounted(owner: CountedOwner): RawBuilder<boolean> {
  return 'productId' in owner
    ? sql<boolean>`s.deleted_at IS NULL AND s.is_hidden = 0 AND s.product_id = ${owner.productId}`
    : sql<boolean>`s.deleted_at IS NULL AND s.is_hidden = 0 AND s.org_id = ${owner.orgId}
        AND (p.is_hidden IS NULL OR p.is_hidden = 0)`;
}

export async function countedSources(ctx: Context, owner: CountedOwner): Promise<SourceRow[]> {
  return queries(ctx)
    .selectFrom('sources as s')
    .leftJoin('products as p', 'p.id', 's.product_id')
    .selectAll('s')
    .where(isCounted(owner))
    .orderBy('s.name_key')
    .orderBy('s.id')
    .execute();
}
