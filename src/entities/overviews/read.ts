// The overview of an org or a product, with its citations.
import { addDependencies, type Context, now, queries } from '../../context.ts';
import { seesHidden } from '../../contract/caller.ts';
import type { Overview } from '../../contract/overview.ts';
import { releaseWebUrl } from '../../domain/release-address.ts';
import type { PageRow } from '../../store/schema/insight.ts';
import type { OrgRow, ProductRow } from '../../store/schema/orgs.ts';
import { openOrg, openProduct } from '../open.ts';
import type { ProductPath } from '../resolve.ts';

export interface OverviewOwner {
  org: Pick<OrgRow, 'id' | 'slug'>;
  product?: Pick<ProductRow, 'id' | 'slug'> | null;
}

export async function orgOverview(ctx: Context, input: { org: string }): Promise<Overview | null> {
  return findOverview(ctx, { org: await openOrg(ctx, input.org) });
}

export async function productOverview(ctx: Context, path: ProductPath): Promise<Overview | null> {
  return findOverview(ctx, await openProduct(ctx, path));
}

export async function findOverview(ctx: Context, owner: OverviewOwner): Promise<Overview | null> {
  const page = await findPage(ctx, owner);
  if (!page) return null;
  return {
    id: page.id,
    scope: owner.product ? 'product' : 'org',
    orgId: page.org_id,
    productId: page.product_id,
    orgSlug: owner.org.slug,
    productSlug: owner.product?.slug ?? null,
    content: page.content,
    releaseCount: page.release_count,
    lastContributingReleaseAt: page.last_contributing_release_at,
    generatedAt: page.generated_at,
    updatedAt: page.updated_at,
    citations: await citationsOf(ctx, page.id),
  };
}

export async function findPage(ctx: Context, { org, product }: OverviewOwner): Promise<PageRow | undefined> {
  const pages = queries(ctx).selectFrom('pages').selectAll();
  return product
    ? pages.where('scope', '=', 'product').where('product_id', '=', product.id).executeTakeFirst()
    : pages.where('scope', '=', 'org').where('org_id', '=', org.id).where('product_id', 'is', null).executeTakeFirst();
}

// A cited release that is no longer readable keeps its URL and quote, but has no link.
async function citationsOf(ctx: Context, pageId: string): Promise<Overview['citations']> {
  const rows = await queries(ctx)
    .selectFrom('page_citations as c')
    .leftJoin('releases as r', (join) => {
      const joined = join.onRef('r.id', '=', 'c.release_id');
      return seesHidden(ctx.caller) ? joined : joined.on('r.listing', '>', 0).on('r.feed_at', '<=', now(ctx));
    })
    .leftJoin('releases as cited', 'cited.id', 'c.release_id')
    .select(['c.source_url', 'c.title', 'c.start_index', 'c.end_index', 'c.cited_text'])
    .select(['cited.source_id', 'r.id', 'r.title as release_title', 'r.title_short', 'r.title_generated', 'r.version'])
    .where('c.page_id', '=', pageId)
    .orderBy('c.position')
    .execute();
  // An operator may cite releases of other orgs, and hidden ones that may become visible later.
  addDependencies(ctx, ...rows.map((row) => row.source_id));
  return rows.map((row) => ({
    sourceUrl: row.source_url,
    title: row.title,
    releaseId: row.id,
    releaseWebUrl: row.id
      ? releaseWebUrl(ctx.config.webUrl, {
          id: row.id,
          title: row.release_title ?? '',
          title_short: row.title_short,
          title_generated: row.title_generated,
          version: row.version,
        })
      : null,
    startIndex: row.start_index,
    endIndex: row.end_index,
    citedText: row.cited_text,
  }));
}
