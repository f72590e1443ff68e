import type { Context } from '../../context.ts';
import { seesHidden } from '../../contract/caller.ts';
import { notFound } from '../../contract/errors.ts';
import type { ResolvedEntry } from '../../contract/org-catalog.ts';
import { openOrg } from '../../entities/open.ts';
import { findProduct, findSource, isUnlisted } from '../../entities/resolve.ts';
import { productDetail } from './product.ts';
import { sourceDetail } from './source.ts';

const FIRST_PAGE = { filter: {}, page: { limit: 20 } };

// Resolves a bare slug (or a typed id) below an org: its product, otherwise its source.
export async function resolveSlug(ctx: Context, input: { org: string; slug: string }): Promise<ResolvedEntry> {
  const org = await openOrg(ctx, input.org);
  const product = await findProduct(ctx, { org: org.id, product: input.slug });
  if (product && (!product.product.is_hidden || seesHidden(ctx.caller))) {
    if (product.product.is_hidden) ctx.answer.containsHidden = true;
    return { kind: 'product', product: await productDetail(ctx, product, FIRST_PAGE) };
  }
  const source = await findSource(ctx, { org: org.id, source: input.slug });
  if (source && (source.visible || isUnlisted(source.source) || seesHidden(ctx.caller))) {
    if (!source.visible) ctx.answer.containsHidden = true;
    return { kind: 'source', source: await sourceDetail(ctx, source, { ...FIRST_PAGE, number: 1 }) };
  }
  throw notFound('source', input.slug);
}
