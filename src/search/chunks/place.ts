import { isVisibleSource } from '../../catalog/resolve.ts';
import type { WriteContext } from '../../context.ts';
import type { ChunkPlace } from '../../ports.ts';

/** A source with what stands around it, deleted ones too. */
export async function findPlace(ctx: WriteContext, sourceId: string): Promise<ChunkPlace | null> {
  const { tx } = ctx;
  const source = await tx.selectFrom('sources').selectAll().where('id', '=', sourceId).executeTakeFirst();
  if (!source) return null;
  const { org_id, product_id } = source;
  const org = org_id && (await tx.selectFrom('orgs').selectAll().where('id', '=', org_id).executeTakeFirst());
  const product =
    product_id && (await tx.selectFrom('products').selectAll().where('id', '=', product_id).executeTakeFirst());
  const around = { source, org: org || null, product: product || null };
  return { ...around, visible: isVisibleSource(source, around.org, around.product) };
}
