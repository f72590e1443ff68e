import type { WriteContext } from '../../context.ts';
import { type ProductInOrg, type ProductPath, resolveProduct } from '../resolve.ts';
import { lockChildSlugs } from '../slug-claim.ts';

// The product as it stands once its org's names are locked: what another writer did while this one waited counts.
export async function lockedProduct(ctx: WriteContext, path: ProductPath): Promise<ProductInOrg> {
  const { org } = await resolveProduct(ctx, path);
  await lockChildSlugs(ctx, org.id);
  return resolveProduct(ctx, path);
}
