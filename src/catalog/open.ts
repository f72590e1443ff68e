// Direct reads of orgs and products by path: shared caches must not store what only writers may see.
import type { Context } from '../context.ts';
import type { OrgRow } from '../store/schema/orgs.ts';
import { type ProductInOrg, type ProductPath, resolveOrg, resolveProduct } from './resolve.ts';

export async function openOrg(ctx: Context, identifier: string): Promise<OrgRow> {
  const org = await resolveOrg(ctx, identifier);
  if (org.is_hidden) ctx.answer.containsHidden = true;
  return org;
}

export async function openProduct(ctx: Context, path: ProductPath): Promise<ProductInOrg> {
  const found = await resolveProduct(ctx, path);
  if (found.product.is_hidden || found.org.is_hidden) ctx.answer.containsHidden = true;
  return found;
}
