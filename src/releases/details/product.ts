// A product with its sources, figures and a page of its releases.
import { type Context, now } from '../../context.ts';
import type { ProductDetail } from '../../contract/product.ts';
import type { SourceItem } from '../../contract/source.ts';
import { pick } from '../../domain/records.ts';
import { utcDay } from '../../domain/timestamps.ts';
import { addUp, dayCountsBySource, firstOfLast, recentCount, SPARKLINE_DAYS } from '../../entities/activity/counts.ts';
import { openProduct } from '../../entities/open.ts';
import { findOverview } from '../../entities/overviews/read.ts';
import { productCore, productFields } from '../../entities/products/product-fields.ts';
import type { ProductInOrg, ProductPath } from '../../entities/resolve.ts';
import { countedSourceItems } from '../../entities/sources/source-fields.ts';
import { aliasesOf, tagNamesOf } from '../../entities/taxonomy/entity-labels.ts';
import { readCursor, readFeed } from '../feeds/feed.ts';
import type { FeedFilter, FeedPage } from '../feeds/feed-query.ts';
import { describeSources } from '../markdown/product.ts';

interface ProductDetailInput {
  filter: FeedFilter;
  page: FeedPage;
}

export async function readProduct(
  ctx: Context,
  input: { path: ProductPath } & ProductDetailInput,
): Promise<ProductDetail> {
  // An invalid cursor is reported before a missing product.
  readCursor(input.page.cursor);
  return productDetail(ctx, await openProduct(ctx, input.path), input);
}

export async function productDetail(
  ctx: Context,
  found: ProductInOrg,
  input: ProductDetailInput,
): Promise<ProductDetail> {
  const { product, org } = found;
  const sources = await countedSourceItems(ctx, { productId: product.id });
  const fields = productFields(product);
  const detail: ProductDetail = {
    ...productCore(fields),
    orgSlug: org.slug,
    orgName: org.name,
    ...pick(fields, 'isHidden', 'updatedAt', 'embeddedAt', 'deletedAt'),
    ...(await figuresOf(ctx, sources)),
    sources: sources.map((source) => pick(source, 'id', 'slug', 'name', 'type', 'url', 'metadata', 'kind')),
    tags: await tagNamesOf(ctx, { productId: product.id }),
    aliases: await aliasesOf(ctx, { productId: product.id }),
    ...(await releasesOf(ctx, { found, sources, input })),
    notice: fields.notice,
    overview: await findOverview(ctx, found),
  };
  return describeSources(detail, sources);
}

async function figuresOf(
  ctx: Context,
  sources: readonly SourceItem[],
): Promise<Pick<ProductDetail, 'sourceCount' | 'releaseCount' | 'releasesLast30Days' | 'latestDate'>> {
  const today = utcDay(now(ctx));
  const from = firstOfLast(SPARKLINE_DAYS, today);
  const sourceIds = sources.map((source) => source.id);
  const days = addUp((await dayCountsBySource(ctx, { sourceIds, from, to: today })).values());
  const dates = sources.flatMap((source) => source.latestDate ?? []).sort();
  return {
    sourceCount: sources.length,
    releaseCount: sources.reduce((sum, source) => sum + source.releaseCount, 0),
    releasesLast30Days: recentCount(days, today),
    latestDate: dates.at(-1) ?? null,
  };
}

// Releases below a hidden product or org have the negative listing, and so do those of hidden sources, which are left
// out.
async function releasesOf(
  ctx: Context,
  {
    found: { product, org },
    sources,
    input: { filter, page },
  }: { found: ProductInOrg; sources: readonly SourceItem[]; input: ProductDetailInput },
): Promise<Pick<ProductDetail, 'releases' | 'pagination'>> {
  const hidden = product.is_hidden === 1 || org.is_hidden === 1;
  const narrowed = hidden ? { ...filter, hidden, sourceIds: sources.map((source) => source.id) } : filter;
  return readFeed(ctx, { branches: [{ column: 'product_id', value: product.id }], filter: narrowed, page });
}
